% Two loops one after the other; the second gives back one too much for each number that is divisible by three.
?- N >= 1, double(N, D), round(D, R), R > D + 1, error.

double(0, 0).
double(N, D) :- N > 0, double(N - 1, E), D = E + 2.

round(0, 0).
round(N, R) :- N > 0, N mod 3 = 0, round(N - 1, P), R = P + 2.
round(N, R) :- N > 0, N mod 3 > 0, round(N - 1, P), R = P + 1.
