:- type tree ---> leaf ; node(tree, int, tree).
?- p(node(leaf, leaf)).
p(leaf(1)) :- error.
p(_) :- q(pair(1, 2), pair(1)), error.
q(_, _).
