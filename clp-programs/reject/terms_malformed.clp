:- type colour = red ; green.
:- type colour ---> red | green.
:- type colour ---> Red ; green.
?- p([1, 2 | 3 | 4]).
?- p([1 2]).
?- p([, 1]).
p(_) :- error.
