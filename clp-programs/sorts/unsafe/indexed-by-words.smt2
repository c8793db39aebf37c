; A memory of bytes, indexed by bytes: the pointer wraps around, and what it points to was zero or one.
(set-logic HORN)
(declare-fun run ((Array (_ BitVec 32) (_ BitVec 8)) (_ BitVec 32)) Bool)
(assert (run ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00) #xfffffffe))
(assert (forall ((M (Array (_ BitVec 32) (_ BitVec 8))) (P (_ BitVec 32)))
  (=> (run M P) (run (store M P #x01) (bvadd P #x00000001)))))
(assert (forall ((M (Array (_ BitVec 32) (_ BitVec 8))) (P (_ BitVec 32)))
  (=> (and (run M P) (= P #x00000000) (= (select M #xffffffff) #x01)) false)))
(check-sat)
