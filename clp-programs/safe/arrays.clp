% An array that only ever grows in one cell; the sort of A is inferred from its use.
?- A[0] = 0, loop(A, 0).
loop(A, I) :- I < 100, loop(store(A, 0, A[0] + 1), I + 1).
loop(A, I) :- A[0] < 0, error.
