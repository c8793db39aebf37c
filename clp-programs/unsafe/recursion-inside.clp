% The error is inside a call, behind another one.
?- walk(3, _).

walk(N, R) :- N =< 0, R = 1.
walk(N, R) :- N > 0, walk(N - 1, A), walk(N - 2, B), checked(A + B, R).

checked(S, S) :- S =< 4.
checked(S, S) :- S > 4, error.
