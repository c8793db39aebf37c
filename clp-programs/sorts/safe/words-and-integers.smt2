; A word is a number from 0 to 255, and a number taken for a word comes back below 256.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((W (_ BitVec 8))) (p (bv2nat W))))
(assert (forall ((N Int)) (=> (p N) (p (bv2nat ((_ int2bv 8) (+ N 200)))))))
(assert (forall ((N Int)) (=> (and (p N) (or (< N 0) (> N 255))) false)))
(check-sat)
