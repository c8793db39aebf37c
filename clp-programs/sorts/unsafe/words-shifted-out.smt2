; A bit that is shifted left falls out at the end: after eight shifts nothing is left.
(set-logic HORN)
(declare-fun shift ((_ BitVec 8) Int) Bool)
(assert (shift #x01 0))
(assert (forall ((X (_ BitVec 8)) (N Int)) (=> (and (shift X N) (< N 20)) (shift (bvshl X #x01) (+ N 1)))))
(assert (forall ((X (_ BitVec 8)) (N Int)) (=> (and (shift X N) (= X #x00)) false)))
(check-sat)
