?- p(red).
p(X) :- X = green, error.
