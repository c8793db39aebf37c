% Seed 004, the figure on infeasible paths, broken: five is reached.
%   x=0; if (*) x=x+1; if (y>=1) x=x+2; if (y<1) x=x+4; if (x>4) error();
?- p(0, X, Y).
p(0, X, Y) :- p(1, 0, Y).
p(1, X, Y) :- p(2, X, Y).
p(1, X, Y) :- p(3, X, Y).
p(2, X, Y) :- p(3, X + 1, Y).
p(3, X, Y) :- Y >= 1, p(4, X, Y).
p(3, X, Y) :- Y < 1, p(5, X, Y).
p(4, X, Y) :- p(5, X + 2, Y).
p(5, X, Y) :- Y < 1, p(6, X, Y).
p(5, X, Y) :- Y >= 1, p(7, X, Y).
p(6, X, Y) :- p(7, X + 4, Y).
p(7, X, Y) :- X > 4, error.
