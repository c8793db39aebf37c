(set-logic HORN)
(declare-datatypes (T) ((Pair (pair (first T) (second T)))))
(declare-fun q ((Pair Int)) Bool)
(check-sat)
