; The copy is taken before the write, so it may differ from the array afterwards.
(set-logic HORN)
(declare-fun copied ((Array Int Int) (Array Int Int)) Bool)
(assert (copied ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 0)))
(assert (forall ((A (Array Int Int)) (B (Array Int Int)) (I Int) (V Int))
  (=> (and (copied A B) (<= 0 I 3) (< V 2)) (copied (store A I V) A))))
(assert (not (exists ((A (Array Int Int)) (B (Array Int Int)) (I Int))
  (and (copied A B) (not (= (select A I) (select B I))) (= (mod I 4) 3)))))
(check-sat)
