?- p(0.5).
p(X) :- X > 1, q(X).
q(N) :- N mod 2 = 0, error.
