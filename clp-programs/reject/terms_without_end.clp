:- type chain ---> link(int, chain).
:- type even ---> e(odd).
:- type odd ---> o(even).
?- p(_).
p(link(1, _)) :- error.
