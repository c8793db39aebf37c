% Numbers by hand: what is undeclared is inferred, here zero and next.
?- plus(X, Y, Z), plus(Y, X, W), Z \= W, error.

plus(zero, Y, Y).
plus(next(X), Y, next(Z)) :- plus(X, Y, Z).
