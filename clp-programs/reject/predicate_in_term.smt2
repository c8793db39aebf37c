(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((X Int)) (=> (p (ite (p X) 1 2)) false)))
(check-sat)
