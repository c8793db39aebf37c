:- sort p(real).
?- p(0).
p(X) :- X mod 2 = 1, error.
