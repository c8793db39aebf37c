% A tree and its mirror image are of the same height and hold numbers of the same sum.
:- type tree ---> leaf ; node(tree, int, tree).

?- mirror(T, U), height(T, A), height(U, B), A \= B, error.
?- mirror(T, U), total(T, A), total(U, B), A \= B, error.

mirror(leaf, leaf).
mirror(node(L, X, R), node(S, X, M)) :- mirror(L, M), mirror(R, S).

height(leaf, 0).
height(node(L, _, R), H) :- height(L, A), height(R, B), H = max(A, B) + 1.

total(leaf, 0).
total(node(L, X, R), S) :- total(L, A), total(R, B), S = A + B + X.
