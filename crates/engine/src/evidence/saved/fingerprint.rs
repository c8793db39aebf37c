//! A fingerprint of a program's rules, the same on every machine.

use crate::evidence::describe::rule_text;
use crate::rules::{Program, RuleId};

/// A fingerprint of predicates and rules as text, to tell evidence about another program from evidence that is wrong. It
/// protects from mistakes and not from malice; nothing is believed because of it.
///
/// It is the 64-bit FNV-1a hash of the labels and sorts of the predicates and of the rules in CLP syntax, a line each.
pub fn fingerprint(program: &Program) -> String {
    let mut hash = Fnv1a(0xcbf2_9ce4_8422_2325);
    for (index, predicate) in program.predicates().iter().enumerate() {
        hash.line(&program.predicate_label(crate::rules::PredicateId::from_index(index)));
        for parameter in &predicate.parameters {
            hash.line(&program.terms.smtlib_sort(program.terms.sort(*parameter)));
        }
    }
    for index in 0..program.rules().len() {
        hash.line(&rule_text(program, RuleId::from_index(index)));
    }
    format!("fnv1a64:{:016x}", hash.0)
}

struct Fnv1a(u64);

impl Fnv1a {
    fn line(&mut self, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
