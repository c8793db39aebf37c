% Seed 004, program (d) with 20 diamonds: broken, one path in a million fails.
%   if (*) { x=0; y=0; } else { x=complex_func(); y=0; }  s=x; t=y;
%   if (*) { s++; t++; }   // 20 times
%   if (t > 19 && s > 19) error();
?- p(1, S, T).
p(1, S, T) :- d(1, 0, 0).
p(1, S, T) :- p(5, S, T).
p(5, S, T) :- X >= 0, X =< 1, d(1, X, 0).
d(1, S, T) :- d(2, S + 1, T + 1).
d(1, S, T) :- d(2, S, T).
d(2, S, T) :- d(3, S + 1, T + 1).
d(2, S, T) :- d(3, S, T).
d(3, S, T) :- d(4, S + 1, T + 1).
d(3, S, T) :- d(4, S, T).
d(4, S, T) :- d(5, S + 1, T + 1).
d(4, S, T) :- d(5, S, T).
d(5, S, T) :- d(6, S + 1, T + 1).
d(5, S, T) :- d(6, S, T).
d(6, S, T) :- d(7, S + 1, T + 1).
d(6, S, T) :- d(7, S, T).
d(7, S, T) :- d(8, S + 1, T + 1).
d(7, S, T) :- d(8, S, T).
d(8, S, T) :- d(9, S + 1, T + 1).
d(8, S, T) :- d(9, S, T).
d(9, S, T) :- d(10, S + 1, T + 1).
d(9, S, T) :- d(10, S, T).
d(10, S, T) :- d(11, S + 1, T + 1).
d(10, S, T) :- d(11, S, T).
d(11, S, T) :- d(12, S + 1, T + 1).
d(11, S, T) :- d(12, S, T).
d(12, S, T) :- d(13, S + 1, T + 1).
d(12, S, T) :- d(13, S, T).
d(13, S, T) :- d(14, S + 1, T + 1).
d(13, S, T) :- d(14, S, T).
d(14, S, T) :- d(15, S + 1, T + 1).
d(14, S, T) :- d(15, S, T).
d(15, S, T) :- d(16, S + 1, T + 1).
d(15, S, T) :- d(16, S, T).
d(16, S, T) :- d(17, S + 1, T + 1).
d(16, S, T) :- d(17, S, T).
d(17, S, T) :- d(18, S + 1, T + 1).
d(17, S, T) :- d(18, S, T).
d(18, S, T) :- d(19, S + 1, T + 1).
d(18, S, T) :- d(19, S, T).
d(19, S, T) :- d(20, S + 1, T + 1).
d(19, S, T) :- d(20, S, T).
d(20, S, T) :- d(21, S + 1, T + 1).
d(20, S, T) :- d(21, S, T).
d(21, S, T) :- T > 19, S > 19, error.
