:- type colour ---> red ; green ; red.
:- type colour ---> blue.
:- type fruit ---> green(size: int) ; plum(size: int).
?- p(red).
p(green) :- error.
