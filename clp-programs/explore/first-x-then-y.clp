% One loop, two ways through it, in a fixed order: X goes up as long as I < M, then Y does. The template of the loop has a counter
% for each of these phases, so that both are known exactly: `clausal explore --tree phases.txt` shows it. The error is unreachable.

?- I = 0, X = 0, Y = 0, M >= 0, M < N, loop(I, X, Y, M, N).

loop(I, X, Y, M, N) :- I < N, I < M, loop(I + 1, X + 1, Y, M, N).
loop(I, X, Y, M, N) :- I < N, I >= M, loop(I + 1, X, Y + 2, M, N).
loop(I, X, Y, M, N) :- I >= N, 2*X + Y \= 2*N, error.
