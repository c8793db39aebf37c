; Halving and adding one never gets beyond two.
(set-logic HORN)
(declare-fun p (Float32) Bool)
(assert (forall ((x Float32)) (=> (fp.eq x ((_ to_fp 8 24) RNE 0.0)) (p x))))
(assert (forall ((x Float32) (y Float32))
  (=> (and (p x) (= y (fp.add RNE (fp.mul RNE x (fp #b0 #x7e #b00000000000000000000000)) ((_ to_fp 8 24) RNE 1.0)))) (p y))))
(assert (forall ((x Float32)) (=> (and (p x) (fp.gt x ((_ to_fp 8 24) RNE 2.0))) false)))
(check-sat)
