; An index that is masked stays inside of a table of sixteen, whatever is added to it.
(set-logic HORN)
(declare-fun loop ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((S (_ BitVec 32))) (loop #x00000000 S)))
(assert (forall ((I (_ BitVec 32)) (S (_ BitVec 32)) (D (_ BitVec 32)))
  (=> (loop I S) (loop (bvand (bvadd I D) #x0000000f) (bvxor S I)))))
(assert (forall ((I (_ BitVec 32)) (S (_ BitVec 32))) (=> (and (loop I S) (bvuge I #x00000010)) false)))
(check-sat)
