% Seed 003, example 3, its variant with x != 0 as the condition. The paper calls it provable, but it is not: one
% iteration through the else branch ends with x = 0, y = 1, and a second one that skips it with x = -1.
%   x=0; y=0; z=1;
%   while (*) { if (*) skip; else { x++; y++; } foo(); x=x-y; }
%   if (x != 0) error();
?- p(0, X, Y, Z).
p(0, X, Y, Z) :- p(1, 0, 0, 1).
p(1, X, Y, Z) :- p(2, X, Y, Z).
p(2, X, Y, Z) :- p(3, X, Y, Z).
p(3, X, Y, Z) :- p(6, X, Y, Z).
p(2, X, Y, Z) :- p(4, X, Y, Z).
p(4, X, Y, Z) :- p(5, X + 1, Y + 1, Z).
p(5, X, Y, Z) :- p(6, X, Y, Z).
p(6, X, Y, Z) :- p(7, X, Y, Z).
p(7, X, Y, Z) :- p(8, X - Y, Y, Z).
p(8, X, Y, Z) :- p(1, X, Y, Z).
p(1, X, Y, Z) :- p(9, X, Y, Z).
p(9, X, Y, Z) :- X =\= 0, error.
