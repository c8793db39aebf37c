% What is appended is not below the last element, so the array is sorted: a property of two cells at a time.
?- append(1, N, store(A, 0, Last), Last).

append(I, N, A, Last) :- I < N, Next >= Last, append(I + 1, N, store(A, I, Next), Next).
append(I, N, A, Last) :- I >= N, 0 =< J, J < K, K < N, select(A, J) > select(A, K), error.
