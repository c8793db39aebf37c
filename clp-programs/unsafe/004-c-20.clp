% Seed 004, program (c) with 20 diamonds: broken, one path in a million fails.
%   s=0; if (*) z=0; else z=999;
%   if (*) s++; else s+=2;   // 20 times
%   if (s+z > 39 && z == 0) error();
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
d(6, S, Z) :- d(7, S + 1, Z).
d(6, S, Z) :- d(7, S + 2, Z).
d(7, S, Z) :- d(8, S + 1, Z).
d(7, S, Z) :- d(8, S + 2, Z).
d(8, S, Z) :- d(9, S + 1, Z).
d(8, S, Z) :- d(9, S + 2, Z).
d(9, S, Z) :- d(10, S + 1, Z).
d(9, S, Z) :- d(10, S + 2, Z).
d(10, S, Z) :- d(11, S + 1, Z).
d(10, S, Z) :- d(11, S + 2, Z).
d(11, S, Z) :- d(12, S + 1, Z).
d(11, S, Z) :- d(12, S + 2, Z).
d(12, S, Z) :- d(13, S + 1, Z).
d(12, S, Z) :- d(13, S + 2, Z).
d(13, S, Z) :- d(14, S + 1, Z).
d(13, S, Z) :- d(14, S + 2, Z).
d(14, S, Z) :- d(15, S + 1, Z).
d(14, S, Z) :- d(15, S + 2, Z).
d(15, S, Z) :- d(16, S + 1, Z).
d(15, S, Z) :- d(16, S + 2, Z).
d(16, S, Z) :- d(17, S + 1, Z).
d(16, S, Z) :- d(17, S + 2, Z).
d(17, S, Z) :- d(18, S + 1, Z).
d(17, S, Z) :- d(18, S + 2, Z).
d(18, S, Z) :- d(19, S + 1, Z).
d(18, S, Z) :- d(19, S + 2, Z).
d(19, S, Z) :- d(20, S + 1, Z).
d(19, S, Z) :- d(20, S + 2, Z).
d(20, S, Z) :- d(21, S + 1, Z).
d(20, S, Z) :- d(21, S + 2, Z).
d(21, S, Z) :- S + Z > 39, Z = 0, error.
