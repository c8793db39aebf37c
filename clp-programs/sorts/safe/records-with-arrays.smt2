; A memory with the number of its cells: what is written last is read.
(set-logic HORN)
(declare-datatype Memory ((memory (cells (Array Int Int)) (size Int))))
(declare-fun run (Memory) Bool)
(assert (run (memory ((as const (Array Int Int)) 0) 0)))
(assert (forall ((M Memory))
  (=> (run M) (run (memory (store (cells M) (size M) 1) (+ (size M) 1))))))
(assert (forall ((M Memory)) (=> (and (run M) (= (select (cells M) (- (size M) 1)) 2)) false)))
(check-sat)
