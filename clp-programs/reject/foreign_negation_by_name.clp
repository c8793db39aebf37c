?- p(0).
p(X) :- not(X > 1), error.
