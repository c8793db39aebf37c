% Seed 003, Fig. 1(c), broken: z counts the iterations.
%   x=0; y=0; z=1;
%   while (*) { if (*) skip; else { x++; y++; } z++; x=x-y; }
%   if (z != 1) error();
?- p(0, X, Y, Z).
p(0, X, Y, Z) :- p(1, 0, 0, 1).
p(1, X, Y, Z) :- p(2, X, Y, Z).
p(2, X, Y, Z) :- p(3, X, Y, Z).
p(3, X, Y, Z) :- p(6, X, Y, Z).
p(2, X, Y, Z) :- p(4, X, Y, Z).
p(4, X, Y, Z) :- p(5, X + 1, Y + 1, Z).
p(5, X, Y, Z) :- p(6, X, Y, Z).
p(6, X, Y, Z) :- p(7, X, Y, Z + 1).
p(7, X, Y, Z) :- p(8, X - Y, Y, Z).
p(8, X, Y, Z) :- p(1, X, Y, Z).
p(1, X, Y, Z) :- p(9, X, Y, Z).
p(9, X, Y, Z) :- Z =\= 1, error.
