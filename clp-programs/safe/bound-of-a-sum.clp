% The second loop takes from k what it adds to j. So n =< k, which holds before it, stays true as n =< k + j.
%   i = k = 0; while (i < n) { i++; k++; }
%   j = 0;     while (j < n) { if (k <= 0) error(); k--; j++; }
?- first(N, 0, 0).
first(N, I, K) :- I < N, first(N, I + 1, K + 1).
first(N, I, K) :- I >= N, second(N, K, 0).
second(N, K, J) :- J < N, K =< 0, error.
second(N, K, J) :- J < N, K > 0, second(N, K - 1, J + 1).
