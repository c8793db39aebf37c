% Seed 000, the motivating loop, broken: j grows by less than i does.
%   assume(n >= 0); i=j=0; while (i != n) { i++; j+=0 or 1; } assert(j >= n);
?- N >= 0, loop(0, 0, N).
loop(I, J, N) :- I =\= N, D >= 0, D =< 1, loop(I + 1, J + D, N).
loop(I, J, N) :- I = N, target(J, N).
target(J, N) :- J < N, error.
