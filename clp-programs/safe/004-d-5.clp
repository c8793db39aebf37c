% Seed 004, program (d) with 5 diamonds: either s or t alone shows that the error is out of reach.
%   if (*) { x=0; y=0; } else { x=complex_func(); y=0; }  s=x; t=y;
%   if (*) { s++; t++; }   // 5 times
%   if (t > 5 && s > 5) error();
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
d(6, S, T) :- T > 5, S > 5, error.
