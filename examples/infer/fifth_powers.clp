% The sum of fifth powers (seed 001, Table I, `ps6`): a polynomial of degree 6.
?- K >= 0, sum(0, 0, 0, K).

sum(X, Y, C, K) :- C < K, sum(X + (Y + 1)*(Y + 1)*(Y + 1)*(Y + 1)*(Y + 1), Y + 1, C + 1, K).
sum(X, Y, C, K) :- C >= K.
