% The integer square root by sums of odd numbers (seed 001, Table I, `sqrt`): T = 2*A + 1 and S = (A + 1)^2.
?- N >= 0, root(N, 0, 1, 1).

root(N, A, S, T) :- S =< N, root(N, A + 1, S + T + 2, T + 2).
root(N, A, S, T) :- S > N.
