% A list may be the same backwards without being empty.
?- reverse(X, X), length(X, A), A = 3, X \= [0, 0, 0], error.

reverse([], []).
reverse([H | T], R) :- reverse(T, S), append(S, [H], R).

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
