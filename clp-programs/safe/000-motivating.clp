% Seed 000, the motivating loop: j >= i is invariant and, with i = n, enough.
%   assume(n >= 0); i=j=0; while (i != n) { i++; j+=2; } assert(j >= n);
?- N >= 0, loop(0, 0, N).
loop(I, J, N) :- I =\= N, loop(I + 1, J + 2, N).
loop(I, J, N) :- I = N, target(J, N).
target(J, N) :- J < N, error.
