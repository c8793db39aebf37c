?- p(0).
p(X) :- X > 1, error, q(X).
q(X) :- X < 0, error.
