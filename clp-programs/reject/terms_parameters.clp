:- type pair(A, B) ---> pair(A, B).
:- type list ---> nil.
:- type max ---> max(int).
:- type thing ---> min ; thing(div: int).
?- p(_).
p(_) :- error.
