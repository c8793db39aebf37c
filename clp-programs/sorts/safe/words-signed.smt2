; Shifted right as a signed number, a negative word stays negative.
(set-logic HORN)
(declare-fun halve ((_ BitVec 16)) Bool)
(assert (forall ((X (_ BitVec 16))) (=> (bvslt X #x0000) (halve X))))
(assert (forall ((X (_ BitVec 16))) (=> (halve X) (halve (bvashr X #x0001)))))
(assert (forall ((X (_ BitVec 16))) (=> (and (halve X) (bvsge X #x0000)) false)))
(check-sat)
