?- p(0).
P(X) :- X > 1, error.
