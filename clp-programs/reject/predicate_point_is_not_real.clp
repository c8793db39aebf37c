:- sort p(real, int).
?- p(1, 0).
p(1, X) :- X > 1, error.
