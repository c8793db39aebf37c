?- p(0).
p(X) :- X in 1..10, error.
