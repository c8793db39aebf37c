% A list read backwards is as long as before.
?- reverse(X, Y), length(X, A), length(Y, B), A \= B, error.

reverse([], []).
reverse([H | T], R) :- reverse(T, S), append(S, [H], R).

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
