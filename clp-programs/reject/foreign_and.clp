?- p(0).
p(X) :- X > 3 && X < 5, error.
