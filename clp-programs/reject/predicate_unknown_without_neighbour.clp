?- loop(0).
loop(X) :- X < 10, finish(X, X).
