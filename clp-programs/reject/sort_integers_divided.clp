?- p(0).
p(X) :- X mod 2 = 0, X / 2 > 1, error.
