; An array of arrays: what is put on the diagonal is there.
(set-logic HORN)
(declare-fun fill ((Array Int (Array Int Int)) Int) Bool)
(assert (fill ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 0))
(assert (forall ((M (Array Int (Array Int Int))) (N Int))
  (=> (fill M N) (fill (store M N (store (select M N) N (+ N 1))) (+ N 1)))))
(assert (forall ((M (Array Int (Array Int Int))) (N Int))
  (=> (and (fill M N) (> N 0) (not (= (select (select M (- N 1)) (- N 1)) N))) false)))
(check-sat)
