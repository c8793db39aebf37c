% The eighth number is 34.
?- fib(8, F), F > 30, error.

fib(N, F) :- N =< 1, F = 1.
fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B.
