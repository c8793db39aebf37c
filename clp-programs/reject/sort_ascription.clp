?- p(0).
p(X) :- X mod 2 = 1, sort(X, real) > 1, error.
