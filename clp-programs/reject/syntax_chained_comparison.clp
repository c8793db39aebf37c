?- p(0).
p(X) :- 0 =< X < 10, error.
