?- p(1.0).
p(X) :- X > .5, error.
