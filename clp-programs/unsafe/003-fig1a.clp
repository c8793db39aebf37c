% Seed 003, Fig. 1(a), broken: the loop may well end with x = 0.
%   x=0; while (x < n) x++; if (x <= 0) error();
?- p(0, X, N).
p(0, X, N) :- p(1, 0, N).
p(1, X, N) :- X < N, p(2, X, N).
p(2, X, N) :- p(1, X + 1, N).
p(1, X, N) :- X >= N, p(4, X, N).
p(4, X, N) :- X =< 0, error.
