% Seed 003, Fig. 1(d): y >= 0 is invariant, so the bound 100000000 does not matter.
%   assume(y >= 0); x=0; while (x < 100000000) { y++; x++; } if (y+x < 100000000) error();
?- p(0, X, Y).
p(0, X, Y) :- Y >= 0, p(1, X, Y).
p(1, X, Y) :- p(2, 0, Y).
p(2, X, Y) :- X < 100000000, p(3, X, Y).
p(3, X, Y) :- p(4, X + 1, Y + 1).
p(4, X, Y) :- p(2, X, Y).
p(2, X, Y) :- X >= 100000000, p(5, X, Y).
p(5, X, Y) :- Y + X < 100000000, error.
