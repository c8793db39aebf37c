:- sort p(int).
:- sort p(real).
?- p(0).
p(X) :- X > 1, error.
