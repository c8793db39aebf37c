?- p(0).
1(X) :- X > 1, error.
