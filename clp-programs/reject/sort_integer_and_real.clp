?- p(0).
p(X) :- X div 2 = 1, X > 0.5, error.
