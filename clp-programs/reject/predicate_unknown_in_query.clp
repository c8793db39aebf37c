?- start(0).
loop(X) :- X < 10, loop(X + 1).
