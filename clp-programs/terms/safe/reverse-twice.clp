% A list read backwards twice is the list.
?- reverse(X, Y), reverse(Y, Z), Z \= X, error.

reverse([], []).
reverse([H | T], R) :- reverse(T, S), append(S, [H], R).

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).
