% What is inserted into a search tree makes it larger by one.
:- type tree ---> leaf ; node(tree, int, tree).

?- insert(X, T, U), size(T, A), size(U, B), B \= A + 1, error.

insert(X, leaf, node(leaf, X, leaf)).
insert(X, node(L, Y, R), node(M, Y, R)) :- X < Y, insert(X, L, M).
insert(X, node(L, Y, R), node(L, Y, M)) :- X >= Y, insert(X, R, M).

size(leaf, 0).
size(node(L, _, R), N) :- size(L, A), size(R, B), N = A + B + 1.
