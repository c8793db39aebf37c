; A cell next to the written ones keeps what it held.
(set-logic HORN)
(define-sort Memory () (Array Int Int))
(declare-fun fill (Memory Int Int) Bool)
(assert (forall ((A Memory) (N Int)) (=> (and (> N 0) (= (select A (- 1)) 7)) (fill A 0 N))))
(assert (forall ((A Memory) (I Int) (N Int))
  (=> (and (fill A I N) (< I N)) (fill (store A I 0) (+ I 1) N))))
(assert (forall ((A Memory) (I Int) (N Int)) (=> (fill A I N) (= (select A (- 1)) 7))))
(check-sat)
