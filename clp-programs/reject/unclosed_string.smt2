(set-logic HORN)
(declare-fun p (Int) Bool)
(set-info :source "nobody knows)
(check-sat)
