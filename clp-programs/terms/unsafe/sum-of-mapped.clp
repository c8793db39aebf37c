% Negative elements stay as they are.
?- increased(X, Y), total(X, A), total(Y, B), length(X, N), B \= A + N, error.

increased([], []).
increased([H | T], [H + 1 | S]) :- H >= 0, increased(T, S).
increased([H | T], [H | S]) :- H < 0, increased(T, S).

total([], 0).
total([H | T], S) :- total(T, R), S = H + R.

length([], 0).
length([_ | T], N) :- length(T, M), N = M + 1.
