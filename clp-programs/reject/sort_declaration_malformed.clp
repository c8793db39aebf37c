:- sort p(int real).
?- p(0, 0.0).
p(X, Y) :- X > floor(Y), error.
