; How often a list was seen: never less than zero times.
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun seen ((Array List Int) List) Bool)
(assert (seen ((as const (Array List Int)) 0) nil))
(assert (forall ((A (Array List Int)) (L List) (K List))
  (=> (and (seen A L) (>= (select A L) 0)) (seen (store A L (+ (select A L) 1)) L))))
(assert (forall ((A (Array List Int)) (L List)) (=> (and (seen A L) (< (select A nil) 0)) false)))
(check-sat)
