?- p(abs).
p(X) :- X > 0, error.
