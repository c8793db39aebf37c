:- type colour ---> red ; mixed(part: colour).
?- is_red(red).
is_red(_) :- error.
part(_).
