?- p(0).
p(X) :- X > 1, X[0] > 1, error.
