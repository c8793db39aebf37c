?- größe(0).
größe(X) :- X > 1, error.
