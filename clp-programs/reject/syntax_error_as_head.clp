?- p(0).
error :- p(1).
