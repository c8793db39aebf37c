?- loop(0).
loop(X) :- X < 10, lop(X + 1).
