% There is an element at every place before the end, and none behind it.
?- nth(I, X, _), length(X, N), I >= N, error.
?- nth(I, _, _), I < 0, error.

nth(0, [H | _], H).
nth(I, [_ | T], E) :- nth(J, T, E), I = J + 1.

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
