; A row that is put in twice is one and the same.
(set-logic HORN)
(declare-fun fill ((Array Int (Array Int Int)) Int) Bool)
(assert (fill ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 0))
(assert (forall ((M (Array Int (Array Int Int))) (N Int))
  (=> (fill M N) (fill (store M 1 (store (select M 1) N 5)) (+ N 1)))))
(assert (forall ((M (Array Int (Array Int Int))) (N Int))
  (=> (and (fill M N) (= (select (select M 1) 2) 5) (= (select M 2) ((as const (Array Int Int)) 0))) false)))
(check-sat)
