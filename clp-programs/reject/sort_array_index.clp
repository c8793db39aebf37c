:- sort p(array(bool, int)).
?- p(A).
p(A) :- A[true] > 1, error.
