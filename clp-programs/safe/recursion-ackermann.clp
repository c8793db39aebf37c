% A call whose argument is another call's result.
?- M >= 0, N >= 0, ackermann(M, N, R), R =< N, error.

ackermann(0, N, R) :- R = N + 1.
ackermann(M, 0, R) :- M > 0, ackermann(M - 1, 1, R).
ackermann(M, N, R) :- M > 0, N > 0, ackermann(M, N - 1, S), ackermann(M - 1, S, R).
