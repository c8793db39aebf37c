; … and what is drawn without looking is not.
(set-logic HORN)
(declare-datatype Account ((account (owner Int) (balance Int) (open Bool))))
(declare-fun state (Account) Bool)
(assert (forall ((O Int)) (state (account O 10 true))))
(assert (forall ((A Account))
  (=> (and (state A) (open A)) (state (account (owner A) (- (balance A) 4) (> (balance A) 4))))))
(assert (forall ((A Account)) (=> (and (state A) (< (balance A) 0)) false)))
(check-sat)
