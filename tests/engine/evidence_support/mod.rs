//! What the tests of evidence share: a way to write programs down, examples, mutants, and oracles.

pub mod examples;
pub mod mutants;
pub mod oracle;

use clausal::evidence::{Certificate, Evidence, fingerprint, read_evidence};
use clausal::rules::{Atom, PredicateId, Program, Rule, RuleId};
use clausal::terms::{Rational, SortId, TermId, Value};
use serde_json::json;

/// A program under construction.
pub struct Builder {
    pub program: Program,
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            program: Program::new(),
        }
    }

    pub fn predicate(&mut self, name: &str, parameters: &[(&str, SortId)]) -> PredicateId {
        self.program.add_predicate(name, None, parameters)
    }

    pub fn variable(&mut self, name: &str, sort: SortId) -> TermId {
        self.program.terms.fresh_variable(name, sort)
    }

    pub fn integer(&mut self, value: i64) -> TermId {
        self.program.terms.integer(value)
    }

    /// `variable + offset`.
    pub fn plus(&mut self, variable: TermId, offset: i64) -> TermId {
        let offset = self.integer(offset);
        self.program.terms.add(variable, offset)
    }

    /// `left ⋈ right` for a number on the right.
    pub fn compare(&mut self, left: TermId, relation: &str, right: i64) -> TermId {
        let terms = &mut self.program.terms;
        let right = terms.number(Rational::from_integer(right.into()), terms.sort(left));
        match relation {
            "=" => terms.equal(left, right),
            "<" => terms.less(left, right),
            "<=" => terms.less_or_equal(left, right),
            ">" => terms.less(right, left),
            ">=" => terms.less_or_equal(right, left),
            _ => terms.not_equal(left, right),
        }
    }

    pub fn query(&mut self, goal: (PredicateId, &[TermId]), constraint: &[TermId]) -> RuleId {
        self.rule((PredicateId::QUERY, &[]), constraint, goal)
    }

    pub fn rule(
        &mut self,
        head: (PredicateId, &[TermId]),
        constraint: &[TermId],
        body: (PredicateId, &[TermId]),
    ) -> RuleId {
        let atom = |(predicate, arguments): (PredicateId, &[TermId])| Atom {
            predicate,
            arguments: arguments.to_vec(),
        };
        self.program.add_rule(Rule {
            head: atom(head),
            constraint: constraint.to_vec(),
            body: vec![atom(body)],
            location: None,
        })
    }

    pub fn error_if(&mut self, head: (PredicateId, &[TermId]), constraint: &[TermId]) -> RuleId {
        self.rule(head, constraint, (PredicateId::ERROR, &[]))
    }
}

/// A certificate from SMT-LIB formulas over the names of the parameters.
pub fn certificate(program: &Program, invariants: &[(PredicateId, &[&[&str]])]) -> Certificate {
    let invariants: Vec<serde_json::Value> = invariants
        .iter()
        .map(|(id, disjuncts)| {
            let terms = &program.terms;
            let parameters = &program.predicate(*id).parameters;
            let parameters: Vec<serde_json::Value> = parameters
                .iter()
                .map(|p| json!({"name": terms.variable_name(*p), "sort": terms.smtlib_sort(terms.sort(*p))}))
                .collect();
            json!({"predicate": program.predicate_label(*id), "parameters": parameters, "disjuncts": disjuncts})
        })
        .collect();
    let document = json!({
        "kind": "certificate", "program": {"fingerprint": fingerprint(program)}, "invariants": invariants
    });
    match read_evidence(program, &document.to_string()) {
        Ok(saved) => match saved.evidence {
            Evidence::Certificate(certificate) => certificate,
            Evidence::Derivation(_) => panic!("a certificate was written"),
        },
        Err(error) => panic!("{error}"),
    }
}

pub fn number(value: i64) -> Value {
    Value::Number(Rational::from_integer(value.into()))
}
