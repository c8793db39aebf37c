% Linear search, the running example of seed 002 (Fig. 1), location by location: the least index of X in A, or -1.
% There is no error in it; `clausal explore --whole --tree linsrch.txt` shows the template of the loop and both leaves.

?- a(A, N, X).

a(A, N, X) :- b(A, N, X, 0).
b(A, N, X, I) :- I < N, c(A, N, X, I).
b(A, N, X, I) :- I >= N, f(A, N, X, I).
c(A, N, X, I) :- A[I] \= X, d(A, N, X, I).
c(A, N, X, I) :- A[I] = X, e(A, N, X, I).
d(A, N, X, I) :- b(A, N, X, I + 1).
e(A, N, X, I) :- g(A, N, X, I, I).
f(A, N, X, I) :- g(A, N, X, I, -1).
g(A, N, X, I, R).
