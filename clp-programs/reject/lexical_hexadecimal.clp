?- p(0x1F).
p(X) :- X > 1, error.
