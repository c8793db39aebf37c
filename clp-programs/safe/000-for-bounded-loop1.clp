% Seed 000, for_bounded_loop1: no invariant serves the first iteration, but x = y, y \= 0, err = 0 serves all later ones.
%   x=0; y=0; err=0; assume(n > 0);
%   for (i=0; i<n; i++) { x=x-y; if (x!=0) err=1; y=read(); assume(y!=0); x=x+y; if (x==0) err=1; }
%   assert(x != 0 && err != 1);
?- N > 0, loop(0, 0, 0, 0, N).
loop(X, Y, Err, I, N) :- I < N, p(4, X - Y, Y, Err, I, N).
p(4, X, Y, Err, I, N) :- X =\= 0, p(5, X, Y, 1, I, N).
p(4, X, Y, Err, I, N) :- X = 0, p(5, X, Y, Err, I, N).
p(5, X, Y, Err, I, N) :- Read =\= 0, p(6, X, Read, Err, I, N).
p(6, X, Y, Err, I, N) :- p(7, X + Y, Y, Err, I, N).
p(7, X, Y, Err, I, N) :- X = 0, loop(X, Y, 1, I + 1, N).
p(7, X, Y, Err, I, N) :- X =\= 0, loop(X, Y, Err, I + 1, N).
loop(X, Y, Err, I, N) :- I >= N, p(8, X, Y, Err, I, N).
p(8, X, Y, Err, I, N) :- X = 0, error.
p(8, X, Y, Err, I, N) :- Err = 1, error.
