?- p().
p() :- error.
