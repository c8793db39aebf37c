% A tree is not higher than it is large.
:- type tree ---> leaf ; node(tree, int, tree).

?- height(T, H), nodes(T, N), H > N, error.

height(leaf, 0).
height(node(L, _, R), H) :- height(L, A), height(R, B), H = max(A, B) + 1.

nodes(leaf, 0).
nodes(node(L, _, R), N) :- nodes(L, A), nodes(R, B), N = A + B + 1.
