% A machine for sums and products, with its program and its stack as lists: two numbers may come to eleven.
:- type order ---> push(int) ; add ; multiply.

?- run([push(2), push(A), multiply, push(5), add], [], [11]), A > 0, error.

run([], S, S).
run([push(N) | P], S, E) :- run(P, [N | S], E).
run([add | P], [A, B | S], E) :- run(P, [A + B | S], E).
run([multiply | P], [A, B | S], E) :- run(P, [A * B | S], E).
