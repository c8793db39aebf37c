?- p(1.0).
p(X) :- X > 1.5e3, error.
