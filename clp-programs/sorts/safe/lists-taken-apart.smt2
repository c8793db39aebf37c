; From a list of ones whatever is taken is a one.
(set-logic HORN)
(declare-datatypes () ((List nil (cons (head Int) (tail List)))))
(declare-fun take (List Int) Bool)
(assert (forall ((L List)) (=> (and (is-cons L) (= (head L) 1) (= (tail L) nil)) (take L 1))))
(assert (forall ((L List) (N Int)) (=> (and (take L N) (is-cons L)) (take (tail L) (head L)))))
(assert (forall ((L List) (N Int)) (=> (and (take L N) (not (= N 1))) false)))
(check-sat)
