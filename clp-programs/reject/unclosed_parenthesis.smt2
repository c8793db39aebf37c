(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((X Int)) (=> (p X) (< X 5)))
(check-sat)
