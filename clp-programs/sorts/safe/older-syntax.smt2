; Parameters in the syntax that came before SMT-LIB 2.6: the second of each pair on the stack is larger.
(set-logic HORN)
(declare-datatypes (T) ((Pair (pair (first T) (second T)))))
(declare-datatypes ((Stack 0)) (((empty) (push (top (Pair Int)) (rest Stack)))))
(declare-fun P (Stack (Pair Int)) Bool)
(assert (P empty (pair 0 1)))
(assert (forall ((s Stack) (p (Pair Int)) (n Int)) (=> (P s p) (P (push (pair n (+ n 1)) s) (pair n (+ n 1))))))
(assert (forall ((s Stack) (p (Pair Int))) (=> (and (P s p) ((_ is push) s)) (< (first (top s)) (second (top s))))))
(check-sat)
