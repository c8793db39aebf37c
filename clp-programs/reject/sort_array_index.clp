:- sort p(array(bool, int)).
?- p(A).
p(A) :- A[1] > 1, error.
