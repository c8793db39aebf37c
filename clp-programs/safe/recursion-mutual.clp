% Two predicates that call each other, neither by its last atom. The result is a bit.
?- N >= 0, even(N, E), E > 1, error.

even(0, 1).
even(N, R) :- N > 0, odd(N - 1, P), same(P, R).
odd(0, 0).
odd(N, R) :- N > 0, even(N - 1, P), same(P, R).

same(X, X) :- X >= 0.
