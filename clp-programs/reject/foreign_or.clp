?- p(0).
p(X) :- (X > 3 || X < 0), error.
