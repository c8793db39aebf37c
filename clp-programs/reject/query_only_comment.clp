% p(X) :- X > 1, error.
% nothing yet
