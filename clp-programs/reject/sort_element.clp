?- p(A).
p(A) :- A[0] = 1, p(store(A, 1, true)).
