; Rounding down and back loses more than a half.
(set-logic HORN)
(declare-fun measured (Real) Bool)
(declare-fun counted (Int Real) Bool)
(assert (forall ((R Real)) (=> (<= 0 R 1) (measured R))))
(assert (forall ((R Real)) (=> (measured R) (measured (* 3 R)))))
(assert (forall ((R Real)) (=> (and (measured R) (not (is_int R))) (counted (to_int R) R))))
(assert (forall ((N Int) (R Real)) (=> (counted N R) (<= (abs (- R (to_real N))) 0.5))))
(check-sat)
