?- 'p q(0).
'p q'(X) :- X > 1, error.
