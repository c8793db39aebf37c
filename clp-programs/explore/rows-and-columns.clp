% A loop in a loop. The inner one runs max(M, 0) times, so going through it is a single step of the outer one, S goes up by as much,
% and the template of the outer loop knows S exactly. The error, another sum than there are elements, is unreachable.

?- N >= 0, M >= 0, rows(0, 0, N, M).

rows(I, S, N, M) :- I < N, columns(I, 0, S, N, M).
columns(I, J, S, N, M) :- J < M, columns(I, J + 1, S + 1, N, M).
columns(I, J, S, N, M) :- J >= M, rows(I + 1, S, N, M).
rows(I, S, N, M) :- I >= N, S \= N*M, error.
