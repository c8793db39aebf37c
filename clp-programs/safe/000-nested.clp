% Seed 000, Fig. 1: nested loops. The last iteration of the outer loop leaves x = 1, so y never falls.
%   i=0; while (i<10) { x=0; j=i; while (j<10) { if (j>=1) x=1; else x=-1; j++; } i++; }
%   for (y=0, k=0; k<10; k++) y=y+x;
%   assert(y >= 0);
?- outer(0, X).
outer(I, X) :- I < 10, inner(I, 0, I).
inner(I, X, J) :- J < 10, p(5, I, X, J).
p(5, I, X, J) :- J >= 1, p(6, I, 1, J).
p(5, I, X, J) :- J < 1, p(6, I, -1, J).
p(6, I, X, J) :- inner(I, X, J + 1).
inner(I, X, J) :- J >= 10, outer(I + 1, X).
outer(I, X) :- I >= 10, last(X, 0, 0).
last(X, Y, K) :- K < 10, last(X, Y + X, K + 1).
last(X, Y, K) :- K >= 10, p(10, Y).
p(10, Y) :- Y < 0, error.
