?- p(error).
p(X) :- X = 1, error.
