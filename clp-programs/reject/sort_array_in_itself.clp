?- p(A).
p(A) :- A = A[0], error.
