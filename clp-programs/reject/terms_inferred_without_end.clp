?- p(_).
p(next(X)) :- p(X).
