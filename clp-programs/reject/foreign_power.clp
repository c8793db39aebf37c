?- p(0).
p(X) :- X**2 > 3, error.
