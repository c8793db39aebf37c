% Seed 004, program (c) with 5 diamonds: one interpolant per diamond and branch covers all paths.
%   s=0; if (*) z=0; else z=999;
%   if (*) s++; else s+=2;   // 5 times
%   if (s+z > 10 && z == 0) error();
?- p(1, S, Z).
p(1, S, Z) :- p(2, 0, Z).
p(2, S, Z) :- d(1, S, 0).
p(2, S, Z) :- d(1, S, 999).
d(1, S, Z) :- d(2, S + 1, Z).
d(1, S, Z) :- d(2, S + 2, Z).
d(2, S, Z) :- d(3, S + 1, Z).
d(2, S, Z) :- d(3, S + 2, Z).
d(3, S, Z) :- d(4, S + 1, Z).
d(3, S, Z) :- d(4, S + 2, Z).
d(4, S, Z) :- d(5, S + 1, Z).
d(4, S, Z) :- d(5, S + 2, Z).
d(5, S, Z) :- d(6, S + 1, Z).
d(5, S, Z) :- d(6, S + 2, Z).
d(6, S, Z) :- S + Z > 10, Z = 0, error.
