; A byte that is counted up wraps around: it gets below where it began.
(set-logic HORN)
(declare-fun count ((_ BitVec 8)) Bool)
(assert (forall ((X (_ BitVec 8))) (=> (= X #xfa) (count X))))
(assert (forall ((X (_ BitVec 8))) (=> (count X) (count (bvadd X #x01)))))
(assert (forall ((X (_ BitVec 8))) (=> (and (count X) (bvult X #x05)) false)))
(check-sat)
