?- p(true).
p(B) :- B, B + 1 > 1, error.
