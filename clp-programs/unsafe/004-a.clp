% Seed 004, program (a), broken: the condition at the end is about y.
%   q=1; if (*) x=0; else x=1; if (x>0) y=0; else y=1; if (y==0) error();
?- p(1, Q, X, Y).
p(1, Q, X, Y) :- p(2, 1, X, Y).
p(2, Q, X, Y) :- p(5, Q, 0, Y).
p(2, Q, X, Y) :- p(5, Q, 1, Y).
p(5, Q, X, Y) :- X > 0, p(8, Q, X, 0).
p(5, Q, X, Y) :- X =< 0, p(8, Q, X, 1).
p(8, Q, X, Y) :- Y = 0, error.
