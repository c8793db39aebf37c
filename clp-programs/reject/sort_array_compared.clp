?- p(A, B).
p(A, B) :- A[0] = B[0], A < B, error.
