?- p(0).
p(X) :- X // 2 = 1, error.
