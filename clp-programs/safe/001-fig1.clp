% Seed 001, Fig. 1: integer division by counting, with the linear part of its invariant as the goal.
%   assume(x1 >= 0 && x2 >= 1); y1=0; y2=0; y3=x1;
%   while (y3 != 0) if (y2+1 == x2) { y1++; y2=0; y3--; } else { y2++; y3--; }
%   assert(y1 >= 0 && 0 <= y2 && y2 < x2 && y3 >= 0);   // at the loop's head
?- X1 >= 0, X2 >= 1, loop(X1, X2, 0, 0, X1).
loop(X1, X2, Y1, Y2, Y3) :- Y3 =\= 0, Y2 + 1 = X2, loop(X1, X2, Y1 + 1, 0, Y3 - 1).
loop(X1, X2, Y1, Y2, Y3) :- Y3 =\= 0, Y2 + 1 =\= X2, loop(X1, X2, Y1, Y2 + 1, Y3 - 1).
loop(X1, X2, Y1, Y2, Y3) :- (Y1 < 0 ; Y2 < 0 ; Y2 >= X2 ; Y3 < 0), error.
