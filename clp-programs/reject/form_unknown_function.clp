?- p(0).
p(X) :- sqrt(X) > 1, error.
