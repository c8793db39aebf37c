% Where each element becomes larger by one, the sum does by the length.
?- increased(X, Y), total(X, A), total(Y, B), length(X, N), B \= A + N, error.

increased([], []).
increased([H | T], [H + 1 | S]) :- increased(T, S).

total([], 0).
total([H | T], S) :- total(T, R), S = H + R.

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
