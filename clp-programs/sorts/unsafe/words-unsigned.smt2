; Shifted right as an unsigned number, it does not.
(set-logic HORN)
(declare-fun halve ((_ BitVec 16)) Bool)
(assert (forall ((X (_ BitVec 16))) (=> (bvslt X #x0000) (halve X))))
(assert (forall ((X (_ BitVec 16))) (=> (halve X) (halve (bvlshr X #x0001)))))
(assert (forall ((X (_ BitVec 16))) (=> (and (halve X) (bvsge X #x0000)) false)))
(check-sat)
