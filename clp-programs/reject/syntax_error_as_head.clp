?- p(0).
p(X) :- X > 1, error.
error :- p(1).
