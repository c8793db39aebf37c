; Two counters, indexed by a truth value: one of them is never touched.
(set-logic HORN)
(declare-fun run ((Array Bool Int) Int) Bool)
(assert (run ((as const (Array Bool Int)) 0) 0))
(assert (forall ((A (Array Bool Int)) (N Int))
  (=> (run A N) (run (store A true (+ (select A true) 1)) (+ N 1)))))
(assert (forall ((A (Array Bool Int)) (N Int)) (=> (and (run A N) (not (= (select A false) 0))) false)))
(check-sat)
