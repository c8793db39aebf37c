% Two calls of the same predicate in one body: the numbers of Fibonacci are positive, and from the fourth on at least N.
?- fib(N, F), F < 1, error.
?- N >= 3, fib(N, F), F < N, error.

fib(N, F) :- N =< 1, F = 1.
fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B.
