% A machine with three states: it fills up to the capacity C, waits for ten turns, and drains. All five ways through its loop come
% in one order, so its template has five phases. The error, to have taken another time than it should, is unreachable.

?- L = 0, T = 0, C >= 1, run(0, L, T, C).

run(S, L, T, C) :- S = 0, L < C, run(S, L + 1, T, C).
run(S, L, T, C) :- S = 0, L >= C, run(1, L, T, C).
run(S, L, T, C) :- S = 1, T < 10, run(S, L, T + 1, C).
run(S, L, T, C) :- S = 1, T >= 10, run(2, L, T, C).
run(S, L, T, C) :- S = 2, L > 0, run(S, L - 1, T + 1, C).
run(S, L, T, C) :- S = 2, L =< 0, T \= C + 10, error.
