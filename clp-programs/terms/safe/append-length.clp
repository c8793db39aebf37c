% The length of two lists one after the other is the sum of their lengths.
:- pred append(list(int), list(int), list(int)).

?- append(X, Y, Z), length(X, A), length(Y, B), length(Z, C), C \= A + B, error.

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
