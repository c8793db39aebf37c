% Several atoms in a body: the sum of 1 to N is computed by a loop, halved by one of two rules, and compared.
?- N >= 0, sum(N, S), half(S, H), H > S, error.

sum(0, 0).
sum(N, S) :- N > 0, sum(N - 1, R), S = R + N.

half(S, H) :- S = 2*H.
half(S, H) :- S = 2*H + 1.
