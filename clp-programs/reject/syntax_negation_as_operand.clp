?- p(true, false).
p(A, B) :- A = \+ B, error.
