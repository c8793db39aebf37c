% Writing past the first cell may hit any other: I is unknown.
?- A[0] = 0, loop(A, I).
loop(A, I) :- check(store(A, I, 1)).
check(A) :- A[0] = 1, error.
