% Seed 004, program (b): y >= n is found by slackening, and the loop is not unrolled.
%   assume(y==0); i=0; while (i < n) { y++; i++; } if (y+i < n) error();
?- p(1, Y, I, N).
p(1, Y, I, N) :- Y = 0, p(3, Y, 0, N).
p(3, Y, I, N) :- I < N, p(4, Y, I, N).
p(4, Y, I, N) :- p(3, Y + 1, I + 1, N).
p(3, Y, I, N) :- I >= N, p(6, Y, I, N).
p(6, Y, I, N) :- Y + I < N, error.
