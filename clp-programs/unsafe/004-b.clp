% Seed 004, program (b), broken: y may be negative at first.
%   assume(y>=-3); i=0; while (i < n) { y++; i++; } if (y+i < n) error();
?- p(1, Y, I, N).
p(1, Y, I, N) :- Y >= -3, p(3, Y, 0, N).
p(3, Y, I, N) :- I < N, p(4, Y, I, N).
p(4, Y, I, N) :- p(3, Y + 1, I + 1, N).
p(3, Y, I, N) :- I >= N, p(6, Y, I, N).
p(6, Y, I, N) :- Y + I < N, error.
