?- p(0), q(1).
p(X) :- X > 1, error.
q(X) :- X > 1, error.
