?- flat([]).
flat([X | T]) :- X = T, error.
