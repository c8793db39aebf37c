% The bound is on one of the lists only.
?- at_least(X, 3), length(X, 1), append(X, Y, Z), member(E, Z), E < 3, error.

at_least([], _).
at_least([H | T], B) :- H >= B, at_least(T, B).

append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.

member(E, [E | _]).
member(E, [_ | T]) :- member(E, T).
