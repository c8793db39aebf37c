% Constants need no declaration: those that meet are of one sort.
?- light(red, 0).

light(red, N) :- light(green, N + 1).
light(green, N) :- light(yellow, N).
light(yellow, N) :- light(red, N + 1).
light(red, N) :- N mod 2 = 1, error.
