; Of the elements of a sort without a declaration of its own nothing is known but which are equal: what was stored first stays.
(set-logic HORN)
(declare-sort Key 0)
(declare-fun P ((Array Key Int) Key Int) Bool)
(assert (forall ((k Key)) (P (store ((as const (Array Key Int)) 0) k 7) k 0)))
(assert (forall ((a (Array Key Int)) (k Key) (other Key) (n Int))
  (=> (and (P a k n) (distinct k other)) (P (store a other n) k (+ n 1)))))
(assert (forall ((a (Array Key Int)) (k Key) (n Int)) (=> (P a k n) (= (select a k) 7))))
(check-sat)
