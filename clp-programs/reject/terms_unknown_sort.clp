:- type tree ---> leaf ; node(tre, integer, list(colour)).
:- pred p(tree, vector).
?- p(leaf, _).
p(X, _) :- X = sort(X, forest), error.
