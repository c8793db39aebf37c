% The same with the result so far in an argument: nothing is lost and nothing comes in.
?- onto(X, [], Y), total(X, A), total(Y, B), A \= B, error.

onto([], Y, Y).
onto([H | T], Y, Z) :- onto(T, [H | Y], Z).

total([], 0).
total([H | T], S) :- total(T, R), S = H + R.
