% Seed 004, program (a): what the branches do to x and y does not matter.
%   q=1; if (*) x=0; else x=1; if (x>0) y=0; else y=1; if (q==0) error();
?- p(1, Q, X, Y).
p(1, Q, X, Y) :- p(2, 1, X, Y).
p(2, Q, X, Y) :- p(5, Q, 0, Y).
p(2, Q, X, Y) :- p(5, Q, 1, Y).
p(5, Q, X, Y) :- X > 0, p(8, Q, X, 0).
p(5, Q, X, Y) :- X =< 0, p(8, Q, X, 1).
p(8, Q, X, Y) :- Q = 0, error.
