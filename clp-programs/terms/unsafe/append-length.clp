% Two lists one after the other may well be of equal lengths.
:- pred append(list(int), list(int), list(int)).

?- append(X, Y, Z), length(X, A), length(Y, B), length(Z, C), A = 2, C = 2*B, error.

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
