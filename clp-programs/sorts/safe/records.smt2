; An account as a record: what is drawn is on it.
(set-logic HORN)
(declare-datatype Account ((account (owner Int) (balance Int) (open Bool))))
(declare-fun state (Account) Bool)
(assert (forall ((O Int)) (state (account O 10 true))))
(assert (forall ((A Account) (X Int))
  (=> (and (state A) (open A) (<= 0 X (balance A))) (state (account (owner A) (- (balance A) X) (> (balance A) X))))))
(assert (forall ((A Account)) (=> (and (state A) (< (balance A) 0)) false)))
(check-sat)
