% What is inserted where it belongs keeps a list sorted.
?- sort_all(X, Y), sorted(Y, false), error.

sort_all([], []).
sort_all([H | T], Z) :- sort_all(T, Y), insert(H, Y, Z).

insert(X, [], [X]).
insert(X, [H | T], [X, H | T]) :- X =< H.
insert(X, [H | T], [H | S]) :- X > H, insert(X, T, S).

sorted([], true).
sorted([_], true).
sorted([X, Y | _], false) :- X > Y.
sorted([X, Y | T], B) :- X =< Y, sorted([Y | T], B).
