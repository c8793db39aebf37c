% An array is filled with anything, copied, and compared: for all K below I, the two have the same element at K.
?- fill(0, N, A, B).

fill(I, N, A, B) :- I < N, fill(I + 1, N, store(A, I, Any), B).
fill(I, N, A, B) :- I >= N, copy(0, N, A, B).

copy(I, N, A, B) :- I < N, copy(I + 1, N, A, store(B, I, select(A, I))).
copy(I, N, A, B) :- I >= N, compare(0, N, A, B).

compare(I, N, A, B) :- I < N, select(A, I) \= select(B, I), error.
compare(I, N, A, B) :- I < N, select(A, I) = select(B, I), compare(I + 1, N, A, B).
