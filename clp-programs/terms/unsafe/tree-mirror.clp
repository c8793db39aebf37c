% What is on the left gets lost.
:- type tree ---> leaf ; node(tree, int, tree).

?- mirror(T, U), height(T, A), height(U, B), A \= B, error.

mirror(leaf, leaf).
mirror(node(leaf, X, R), node(S, X, leaf)) :- mirror(R, S).
mirror(node(node(L, Y, _), X, R), node(S, X, node(leaf, Y, M))) :- mirror(L, M), mirror(R, S).

height(leaf, 0).
height(node(L, _, R), H) :- height(L, A), height(R, B), H = max(A, B) + 1.
