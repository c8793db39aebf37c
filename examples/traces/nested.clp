% Seed 000, Fig. 1, with all variables at all places, as the seed has it.
% clausal compress --input X=0 examples/traces/nested.clp
?- l1(I, J, X, Y, K).
l1(I, J, X, Y, K) :- l2(0, J, X, Y, K).
l2(I, J, X, Y, K) :- I < 10, l3(I, J, X, Y, K).
l3(I, J, X, Y, K) :- l4(I, I, 0, Y, K).
l4(I, J, X, Y, K) :- J < 10, l5(I, J, X, Y, K).
l5(I, J, X, Y, K) :- J >= 1, l6(I, J, 1, Y, K).
l5(I, J, X, Y, K) :- J < 1, l6(I, J, -1, Y, K).
l6(I, J, X, Y, K) :- l4(I, J + 1, X, Y, K).
l4(I, J, X, Y, K) :- J >= 10, l7(I, J, X, Y, K).
l7(I, J, X, Y, K) :- l2(I + 1, J, X, Y, K).
l2(I, J, X, Y, K) :- I >= 10, l8a(I, J, X, Y, K).
l8a(I, J, X, Y, K) :- l8(I, J, X, 0, 0).
l8(I, J, X, Y, K) :- K < 10, l9(I, J, X, Y, K).
l9(I, J, X, Y, K) :- l8(I, J, X, Y + X, K + 1).
l8(I, J, X, Y, K) :- K >= 10, l10(I, J, X, Y, K).
l10(I, J, X, Y, K) :- Y >= 0, error.
