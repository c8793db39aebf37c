?- p(A).
p(A) :- A[1 > 1, error.
