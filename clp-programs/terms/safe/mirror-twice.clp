% The mirror image of a mirror image is the tree.
?- mirror(X, Y), mirror(Y, Z), Z \= X, error.

mirror(leaf, leaf).
mirror(node(L, X, R), node(S, X, M)) :- mirror(L, M), mirror(R, S).
