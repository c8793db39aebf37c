; One element is enough for this error.
(set-logic HORN)
(declare-sort Key 0)
(declare-datatypes ((Entry 0)) (((entry (key Key) (count Int)))))
(declare-fun P (Entry) Bool)
(assert (forall ((k Key)) (P (entry k 0))))
(assert (forall ((e Entry)) (=> (P e) (P (entry (key e) (+ (count e) 1))))))
(assert (forall ((e Entry) (k Key)) (=> (and (P e) (= (key e) k)) (<= (count e) 2))))
(check-sat)
