:- type heap ---> empty ; cells(array(int, heap)).
?- p(empty).
p(cells(A)) :- A[0] = empty, error.
