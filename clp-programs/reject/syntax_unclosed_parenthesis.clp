?- p(0).
p(X) :- (X > 1 ; X < 0, error.
