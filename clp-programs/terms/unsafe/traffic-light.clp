% Red comes at even numbers only, yellow at odd ones.
?- light(red, 0).

light(red, N) :- light(green, N + 1).
light(green, N) :- light(yellow, N).
light(yellow, N) :- light(red, N + 1).
light(C, N) :- C \= red, C \= green, N mod 2 = 1, N > 4, error.
