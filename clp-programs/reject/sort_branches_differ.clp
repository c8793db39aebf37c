?- p(0).
p(X) :- ite(X > 0, 1.5, true) = 1, error.
