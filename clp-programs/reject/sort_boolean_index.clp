?- p(A, true).
p(A, B) :- B, A[B] > 1, error.
