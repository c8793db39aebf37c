% To insert another number does not change how often one is there.
?- insert(X, L, M), Y \= X, count(Y, L, A), count(Y, M, B), A \= B, error.

insert(X, [], [X]).
insert(X, [H | T], [X, H | T]) :- X =< H.
insert(X, [H | T], [H | R]) :- X > H, insert(X, T, R).

count(_, [], 0).
count(X, [X | T], N) :- count(X, T, M), N = M + 1.
count(X, [H | T], N) :- H \= X, count(X, T, N).
