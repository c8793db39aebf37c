% Division by shifting and subtracting (seed 001, Table I, `cohendiv`): X = Q*Y + R at both loops, B = A*Y at the inner one.
?- X >= 1, Y >= 1, outer(X, Y, 0, X, 0, 0).

outer(X, Y, Q, R, A, B) :- R >= Y, inner(X, Y, Q, R, 1, Y).
outer(X, Y, Q, R, A, B) :- R < Y.
inner(X, Y, Q, R, A, B) :- R >= 2*B, inner(X, Y, Q, R, 2*A, 2*B).
inner(X, Y, Q, R, A, B) :- R < 2*B, outer(X, Y, Q + A, R - B, A, B).
