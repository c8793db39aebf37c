% The first element is taken for a list, the rest for an element.
?- total([1, 2, 3], S), S > 6, error.
total([], 0).
total([H | T], S) :- total(H, R), S = R + T.
