; A list that is built has as many elements as were put into it, and is never empty again.
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun build (List Int) Bool)
(assert (build nil 0))
(assert (forall ((L List) (N Int) (X Int)) (=> (and (build L N) (> X N)) (build (cons X L) (+ N 1)))))
(assert (forall ((L List) (N Int)) (=> (and (build L N) (> N 0) ((_ is nil) L)) false)))
(check-sat)
