% If all elements of two lists are at least 3, so are those of the two together.
?- at_least(X, 3), at_least(Y, 3), append(X, Y, Z), member(E, Z), E < 3, error.

at_least([], _).
at_least([H | T], B) :- H >= B, at_least(T, B).

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

member(E, [E | _]).
member(E, [_ | T]) :- member(E, T).
