?- p(0).
p(X) :- X = ¤¤¤¤, error.
