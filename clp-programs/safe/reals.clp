% A filter over the reals that never leaves its band.
:- sort filter(real).
?- X = 0.5, filter(X).
filter(X) :- In >= 0.0, In =< 1.0, filter(0.5*X + 0.5*In).
filter(X) :- X > 1.0, error.
filter(X) :- X < 0.0, error.
