(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p |X))
(check-sat)
