% Seed 003, Fig. 1(b), broken: the loop forgets to take the lock.
%   lock=0; new=old+1;
%   while (new != old) { old=new; if (*) { lock=0; new++; } }
%   if (lock==0) error();
?- p(0, Lock, New, Old).
p(0, Lock, New, Old) :- p(1, 0, Old + 1, Old).
p(1, Lock, New, Old) :- New =\= Old, p(2, Lock, New, Old).
p(2, Lock, New, Old) :- p(3, Lock, New, New).
p(3, Lock, New, Old) :- p(5, Lock, New, Old).
p(3, Lock, New, Old) :- p(4, Lock, New, Old).
p(4, Lock, New, Old) :- p(5, 0, New + 1, Old).
p(5, Lock, New, Old) :- p(1, Lock, New, Old).
p(1, Lock, New, Old) :- New = Old, p(6, Lock, New, Old).
p(6, Lock, New, Old) :- Lock = 0, error.
