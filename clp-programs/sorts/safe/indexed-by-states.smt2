; What is stored for each of three colors: one of them is never set.
(set-logic HORN)
(declare-datatypes ((Color 0)) (((red) (green) (blue))))
(declare-fun run ((Array Color Bool) Color) Bool)
(assert (forall ((C Color)) (=> (not (= C blue)) (run ((as const (Array Color Bool)) false) C))))
(assert (forall ((A (Array Color Bool)) (C Color))
  (=> (run A C) (run (store A C true) (ite (= C red) green red)))))
(assert (forall ((A (Array Color Bool)) (C Color)) (=> (and (run A C) (select A blue)) false)))
(check-sat)
