?- p(0).
p(X) :- Next(X).
