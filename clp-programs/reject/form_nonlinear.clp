?- fib(10, 55).
fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B.
