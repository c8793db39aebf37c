; Twos added to zero stay even, however often they wrap around.
(set-logic HORN)
(declare-fun count ((_ BitVec 8)) Bool)
(assert (forall ((X (_ BitVec 8))) (=> (= X #x00) (count X))))
(assert (forall ((X (_ BitVec 8))) (=> (count X) (count (bvadd X #x02)))))
(assert (forall ((X (_ BitVec 8))) (=> (and (count X) (= (bvand X #x01) #x01)) false)))
(check-sat)
