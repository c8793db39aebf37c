?- p(0).
p(X) :- mni(X, 3) > 1, error.
