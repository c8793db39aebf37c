?- p(0).
p(X) :- X > 1, eror.
