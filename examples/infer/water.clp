% A tank is filled in two phases, and the second is as fast as the first is long: iterations by cases with --count.
?- F >= 0, G >= 0, fill(0, 0, F, G).

fill(X, Y, F, G) :- X < F, fill(X + 1, Y, F, G).
fill(X, Y, F, G) :- X >= F, Y < G, fill(X, Y + 1, F, G).
fill(X, Y, F, G) :- X >= F, Y >= G.
