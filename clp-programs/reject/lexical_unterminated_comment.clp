?- p(0).
/* the rules of p
p(X) :- X > 1, error.
