% Nodes with nothing to the left are not counted.
:- type tree ---> leaf ; node(tree, int, tree).

?- leaves(T, A), nodes(T, B), A \= B + 1, error.

leaves(leaf, 1).
leaves(node(L, _, R), N) :- leaves(L, A), leaves(R, B), N = A + B.

nodes(leaf, 0).
nodes(node(leaf, _, R), N) :- nodes(R, N).
nodes(node(L, _, R), N) :- L \= leaf, nodes(L, A), nodes(R, B), N = A + B + 1.
