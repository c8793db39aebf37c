; With a truth value as the index, both counters get to three; no arrays are compared.
(set-logic HORN)
(declare-fun run ((Array Bool Int) Bool) Bool)
(assert (run ((as const (Array Bool Int)) 0) true))
(assert (forall ((A (Array Bool Int)) (B Bool)) (=> (run A B) (run (store A B (+ (select A B) 1)) (not B)))))
(assert (forall ((A (Array Bool Int)) (B Bool))
  (=> (and (run A B) (= (select A true) 2) (= (select A false) 2)) false)))
(check-sat)
