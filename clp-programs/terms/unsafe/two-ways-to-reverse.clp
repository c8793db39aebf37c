% The accumulator does not begin empty.
?- reverse(X, Y), onto(X, [7], Z), Z \= Y, error.

reverse([], []).
reverse([H | T], R) :- reverse(T, S), append(S, [H], R).

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

onto([], R, R).
onto([H | T], S, R) :- onto(T, [H | S], R).
