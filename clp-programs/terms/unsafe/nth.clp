% The last element is at the place before the length.
?- nth(I, X, E), length(X, N), I = N - 1, N = 3, E = 7, error.

nth(0, [H | _], H).
nth(I, [_ | T], E) :- nth(J, T, E), I = J + 1.

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
