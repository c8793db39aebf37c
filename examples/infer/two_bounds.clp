% How often the loop runs depends on the case (seed 001, Table II, `cav09_fig1a`); try --count.
?- loop(0, 0, M).

loop(X, Y, M) :- X < 100, Y < M, loop(X, Y + 1, M).
loop(X, Y, M) :- X < 100, Y >= M, loop(X + 1, Y, M).
loop(X, Y, M) :- X >= 100.
