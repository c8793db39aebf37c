% Seed 004, the loop with a flag: flag = 1 stays believed in the loop, so its branch is never explored.
%   lock=0; new=old+1; flag=1;
%   while (new != old) { lock=1; old=new; if (*) { lock=0; new++; } }
%   if (!flag) lock=0;
%   if (lock==0) error();
?- p(0, Lock, New, Old, Flag).
p(0, Lock, New, Old, Flag) :- p(1, 0, Old + 1, Old, 1).
p(1, Lock, New, Old, Flag) :- New =\= Old, p(2, Lock, New, Old, Flag).
p(2, Lock, New, Old, Flag) :- p(3, 1, New, New, Flag).
p(3, Lock, New, Old, Flag) :- p(1, Lock, New, Old, Flag).
p(3, Lock, New, Old, Flag) :- p(4, Lock, New, Old, Flag).
p(4, Lock, New, Old, Flag) :- p(1, 0, New + 1, Old, Flag).
p(1, Lock, New, Old, Flag) :- New = Old, p(5, Lock, New, Old, Flag).
p(5, Lock, New, Old, Flag) :- Flag = 0, p(6, Lock, New, Old, Flag).
p(6, Lock, New, Old, Flag) :- p(7, 0, New, Old, Flag).
p(5, Lock, New, Old, Flag) :- Flag =\= 0, p(7, Lock, New, Old, Flag).
p(7, Lock, New, Old, Flag) :- Lock = 0, error.
