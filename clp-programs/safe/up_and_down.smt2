; Two counters move in opposite directions; their sum stays what it was, so neither passes it.
(set-logic HORN)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((X Int) (Y Int) (N Int)) (=> (= (+ X Y) N) (loop X Y N))))
(assert (forall ((X Int) (Y Int) (N Int))
  (=> (and (loop X Y N) (> Y 0)) (loop (+ X 1) (- Y 1) N))))
(assert (forall ((X Int) (Y Int) (N Int))
  (=> (and (loop X Y N) (>= Y 0)) (<= X N))))
(check-sat)
