% The first element is added twice.
?- onto(X, [], Y), total(X, A), total(Y, B), A \= B, error.

onto([], Y, Y).
onto([H | T], [], Z) :- onto(T, [H, H], Z).
onto([H | T], [G | Y], Z) :- onto(T, [H, G | Y], Z).

total([], 0).
total([H | T], S) :- total(T, R), S = H + R.
