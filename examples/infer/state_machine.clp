% A connection goes round three states, whose numbers are as they happen to be; anything else counts as a fault.
%
% No bound says which numbers occur, so from what can be said of one state, a fault may follow: the default case. After
% one more step back it cannot: a state without a fault is followed by one of the three.
?- machine(8, 0).
machine(S, Faults) :- S = 8, machine(23, Faults).
machine(S, Faults) :- S = 23, machine(47, Faults).
machine(S, Faults) :- S = 47, machine(8, Faults).
machine(S, Faults) :- S =\= 8, S =\= 23, S =\= 47, machine(S, Faults + 1).
machine(S, Faults) :- Faults > 0, error.
