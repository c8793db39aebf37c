% Euclid's algorithm with its coefficients (seed 001, Table I, `egcd1`): A = Y*R + X*P, B = X*Q + Y*S, P*S - Q*R = 1.
?- X >= 1, Y >= 1, loop(X, Y, X, Y, 1, 0, 0, 1).

loop(X, Y, A, B, P, Q, R, S) :- A > B, loop(X, Y, A - B, B, P - Q, Q, R - S, S).
loop(X, Y, A, B, P, Q, R, S) :- A < B, loop(X, Y, A, B - A, P, Q - P, R, S - R).
loop(X, Y, A, B, P, Q, R, S) :- A = B.
