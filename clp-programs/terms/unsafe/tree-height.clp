% But it may be as high as it is large, and hold more than one number then.
:- type tree ---> leaf ; node(tree, int, tree).

?- height(T, H), nodes(T, N), H >= N, N >= 3, error.

height(leaf, 0).
height(node(L, _, R), H) :- height(L, A), height(R, B), H = max(A, B) + 1.

nodes(leaf, 0).
nodes(node(L, _, R), N) :- nodes(L, A), nodes(R, B), N = A + B + 1.
