:- type colour ---> red ; green.
?- p(X, Y).
p(X, Y) :- X = red, Y = [X], X > 3, error.
p(X, Y) :- Y = [1, 2], error.
p(X, Y) :- Y = leaf, X = node(leaf), error.
