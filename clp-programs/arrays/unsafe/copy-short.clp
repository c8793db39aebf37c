% The copy leaves out the last element.
?- N > 0, copy(0, N, A, B).

copy(I, N, A, B) :- I < N - 1, copy(I + 1, N, A, store(B, I, select(A, I))).
copy(I, N, A, B) :- I >= N - 1, 0 =< J, J < N, select(A, J) \= select(B, J), error.
