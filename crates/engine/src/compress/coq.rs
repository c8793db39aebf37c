//! The proof of a compressed trace for Coq (or Rocq): the last word on whether an invariant is one (seed 000, remark (B)).
//!
//! The file says which states the compressed trace reaches, as an inductive definition with one constructor for each rule;
//! what holds in each state; one lemma for each rule, which is its Hoare triple; and, composed of these, the theorem that all
//! states reached have what is said of them, so that the target is never missed. `lia` proves the lemmas.

use super::proof::{Origin, Proof};
use crate::rules::{PredicateId, Rule};
use crate::terms::{Operator, SortId, TermId, Terms};
use hashbrown::HashMap;

/// The proof as the text of a `.v` file, which `coqc` accepts. `describe` says in one line what a rule stands for.
///
/// # Errors
/// What cannot be written: `lia` knows integers and nothing else.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::compress::{Options, Target, Trace, compress, coq};
/// let source = "?- p(0).  p(X) :- X < 7, p(X + 1).  p(X) :- X >= 7, q(X).  q(X) :- X >= 0, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let trace = Trace::record(&program, None, &mut |_| None, 100).expect("it can be run");
/// let compressed = compress(&program, &trace, &Target::Error, &Options::default()).expect("it implies its target");
/// let text = coq(&compressed.proof, &|origin| format!("{origin:?}")).expect("it is about integers");
/// assert!(text.contains("Theorem whatever_is_reached_holds : forall s, reached s -> holds s."));
/// ```
pub fn coq(proof: &Proof, describe: &dyn Fn(&Origin) -> String) -> Result<String, String> {
    let mut writer = Writer {
        proof,
        terms: &proof.certificate.terms,
        out: String::new(),
    };
    writer.write(describe)?;
    Ok(writer.out)
}

struct Writer<'p> {
    proof: &'p Proof,
    terms: &'p Terms,
    out: String,
}

/// The variables of one lemma, and what has to be said of those that stand for a conditional.
struct Names<'p> {
    terms: &'p Terms,
    names: HashMap<TermId, String>,
    order: Vec<String>,
    definitions: Vec<String>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn write(&mut self, describe: &dyn Fn(&Origin) -> String) -> Result<(), String> {
        let proof = self.proof;
        self.line(
            "(* A compressed trace implies its target: the states that it reaches, and what holds in each of them. *)",
        );
        self.line("Require Import ZArith Lia.");
        self.line("Open Scope Z_scope.");
        self.line("Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.");
        self.line("");
        self.states()?;
        let rules: Vec<(usize, &Rule)> = proof.program.rules().iter().enumerate().collect();
        let leads_on = |rule: &Rule| {
            rule.body
                .first()
                .is_some_and(|body| body.predicate != PredicateId::ERROR)
        };
        let rules: Vec<(usize, &Rule)> = rules.into_iter().filter(|(_, rule)| leads_on(rule)).collect();
        self.reached(&rules)?;
        for (index, rule) in &rules {
            let origin = proof.origins.get(*index);
            self.lemma(*index, rule, &origin.map(describe).unwrap_or_default())?;
        }
        self.line("Theorem whatever_is_reached_holds : forall s, reached s -> holds s.");
        self.line("Proof.");
        self.line("  induction 1.");
        for (index, _) in &rules {
            self.line(&format!("  - eapply triple_{}; eassumption.", index + 1));
        }
        self.line("Qed.");
        Ok(())
    }

    fn state_name(&self, predicate: PredicateId) -> String {
        format!(
            "at_{}_{}",
            predicate.index(),
            identifier(&self.proof.program.predicate(predicate).name)
        )
    }

    fn own_predicates(&self) -> Vec<PredicateId> {
        let all = 0..self.proof.program.predicates().len();
        let all = all.map(PredicateId::from_index);
        all.filter(|predicate| *predicate != PredicateId::QUERY && *predicate != PredicateId::ERROR)
            .collect()
    }

    fn states(&mut self) -> Result<(), String> {
        self.line("Inductive state : Type :=");
        for predicate in self.own_predicates() {
            let mut names = Names::new(self.terms);
            for parameter in &self.proof.program.predicate(predicate).parameters {
                names.variable(*parameter)?;
            }
            let parameters = binder(&names.order);
            let text = format!("  | {}{parameters}", self.state_name(predicate));
            self.line(&text);
        }
        self.line("  .\n");
        self.line("Definition holds (s : state) : Prop :=\n  match s with");
        for predicate in self.own_predicates() {
            let parameters = self.proof.program.predicate(predicate).parameters.clone();
            let mut names = Names::new(self.terms);
            for parameter in &parameters {
                names.variable(*parameter)?;
            }
            let invariants = &self.proof.certificate.invariants;
            let invariant = invariants.iter().find(|invariant| invariant.predicate == predicate);
            let formula = match invariant {
                Some(invariant) => names.disjunction(&invariant.disjuncts)?,
                None => "True".to_string(),
            };
            if !names.definitions.is_empty() {
                return Err("a conditional in an invariant".to_string());
            }
            let text = format!(
                "  | {} {} => {formula}",
                self.state_name(predicate),
                names.order.join(" ")
            );
            self.line(&text);
        }
        self.line("  end.\n");
        Ok(())
    }

    fn reached(&mut self, rules: &[(usize, &Rule)]) -> Result<(), String> {
        self.line("Inductive reached : state -> Prop :=");
        for (index, rule) in rules {
            let mut names = Names::new(self.terms);
            let mut premises = Vec::new();
            if rule.head.predicate != PredicateId::QUERY {
                let arguments = names.arguments(&rule.head.arguments)?;
                premises.push(format!(
                    "reached ({} {arguments})",
                    self.state_name(rule.head.predicate)
                ));
            }
            for formula in &rule.constraint {
                premises.push(names.formula(*formula)?);
            }
            let Some(body) = rule.body.first() else {
                continue;
            };
            let arguments = names.arguments(&body.arguments)?;
            let conclusion = format!("reached ({} {arguments})", self.state_name(body.predicate));
            premises.splice(0..0, names.definitions.iter().cloned());
            premises.push(conclusion);
            let text = format!(
                "  | rule_{} : {}{}",
                index + 1,
                forall(&names.order),
                premises.join(" -> ")
            );
            self.line(&text);
        }
        self.line("  .\n");
        Ok(())
    }

    /// The triple of a rule, with what holds in its states written out.
    fn lemma(&mut self, index: usize, rule: &Rule, description: &str) -> Result<(), String> {
        let mut names = Names::new(self.terms);
        let mut premises = Vec::new();
        if rule.head.predicate != PredicateId::QUERY {
            let arguments = names.arguments(&rule.head.arguments)?;
            premises.push(format!("holds ({} {arguments})", self.state_name(rule.head.predicate)));
        }
        for formula in &rule.constraint {
            premises.push(names.formula(*formula)?);
        }
        let Some(body) = rule.body.first() else {
            return Ok(());
        };
        let arguments = names.arguments(&body.arguments)?;
        premises.splice(0..0, names.definitions.iter().cloned());
        premises.push(format!("holds ({} {arguments})", self.state_name(body.predicate)));
        let description = description.replace("(*", "( *").replace("*)", "* )").replace('"', "'");
        self.line(&format!("(* {description} *)"));
        let text = format!(
            "Lemma triple_{} : {}{}.",
            index + 1,
            forall(&names.order),
            premises.join(" -> ")
        );
        self.line(&text);
        self.line("Proof. unfold holds; intros; first [ lia | nia ]. Qed.\n");
        Ok(())
    }
}

impl<'p> Names<'p> {
    fn new(terms: &'p Terms) -> Names<'p> {
        Names {
            terms,
            names: HashMap::new(),
            order: Vec::new(),
            definitions: Vec::new(),
        }
    }

    fn variable(&mut self, variable: TermId) -> Result<String, String> {
        if let Some(name) = self.names.get(&variable) {
            return Ok(name.clone());
        }
        if self.terms.sort(variable) != SortId::INT {
            let name = self.terms.variable_name(variable);
            return Err(format!("`{name}` is not an integer"));
        }
        let name = format!(
            "v{}_{}",
            self.order.len() + 1,
            identifier(self.terms.variable_name(variable))
        );
        self.order.push(name.clone());
        self.names.insert(variable, name.clone());
        Ok(name)
    }

    fn arguments(&mut self, arguments: &[TermId]) -> Result<String, String> {
        let mut texts = Vec::new();
        for argument in arguments {
            texts.push(self.text(*argument)?);
        }
        Ok(texts.join(" "))
    }

    fn disjunction(&mut self, disjuncts: &[Vec<TermId>]) -> Result<String, String> {
        let mut texts = Vec::new();
        for disjunct in disjuncts {
            let mut conjuncts = Vec::new();
            for formula in disjunct {
                conjuncts.push(self.formula(*formula)?);
            }
            texts.push(joined(conjuncts, " /\\ ", "True"));
        }
        Ok(joined(texts, " \\/ ", "False"))
    }

    fn formula(&mut self, formula: TermId) -> Result<String, String> {
        self.text(formula)
    }

    /// A term or formula in parentheses, its parts first.
    fn text(&mut self, term: TermId) -> Result<String, String> {
        let mut done: HashMap<TermId, String> = HashMap::new();
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if done.contains_key(&current) {
                stack.pop();
                continue;
            }
            let arguments = self.terms.arguments(current).to_vec();
            let before = stack.len();
            stack.extend(arguments.iter().filter(|argument| !done.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let parts: Vec<String> = arguments
                .iter()
                .filter_map(|argument| done.get(argument).cloned())
                .collect();
            let text = self.compound(current, &parts)?;
            done.insert(current, text);
            stack.pop();
        }
        Ok(done.remove(&term).unwrap_or_default())
    }

    fn compound(&mut self, term: TermId, parts: &[String]) -> Result<String, String> {
        let terms = self.terms;
        let divides_by = |divisor: TermId| {
            let value = terms.number_value(divisor);
            value.is_some_and(num_traits::Signed::is_positive)
        };
        Ok(match (terms.operator(term), parts) {
            (Operator::True, _) => "True".to_string(),
            (Operator::False, _) => "False".to_string(),
            (Operator::Variable(_), _) => self.variable(term)?,
            (Operator::Number(_), _) if terms.sort(term) == SortId::INT => {
                let value = terms.number_value(term).map(|value| value.numer().to_string());
                format!("({})", value.unwrap_or_default())
            }
            (Operator::Add, _) if terms.sort(term) == SortId::INT => joined(parts.to_vec(), " + ", "0"),
            (Operator::Multiply, _) if terms.sort(term) == SortId::INT => joined(parts.to_vec(), " * ", "1"),
            // For a positive divisor Coq's division is the one of SMT-LIB.
            (Operator::IntegerDivide, [a, b]) if divides_by(terms.arguments(term)[1]) => format!("({a} / {b})"),
            (Operator::Modulo, [a, b]) if divides_by(terms.arguments(term)[1]) => format!("({a} mod {b})"),
            (Operator::IfThenElse, [condition, a, b]) if terms.sort(term) == SortId::INT => {
                let name = format!("c{}", self.order.len() + 1);
                self.order.push(name.clone());
                self.definitions.push(format!(
                    "(({condition} -> {name} = {a}) /\\ (~ {condition} -> {name} = {b}))"
                ));
                name
            }
            (Operator::Equal, [a, b]) if terms.sort(terms.arguments(term)[0]) == SortId::INT => format!("({a} = {b})"),
            (Operator::LessOrEqual, [a, b]) => format!("({a} <= {b})"),
            (Operator::Not, [a]) => format!("(~ {a})"),
            (Operator::And, _) => joined(parts.to_vec(), " /\\ ", "True"),
            (Operator::Or, _) => joined(parts.to_vec(), " \\/ ", "False"),
            _ => return Err(format!("`{}` is not about integers", terms.display(term))),
        })
    }
}

fn joined(parts: Vec<String>, separator: &str, neutral: &str) -> String {
    match &parts[..] {
        [] => neutral.to_string(),
        [only] => only.clone(),
        _ => format!("({})", parts.join(separator)),
    }
}

fn binder(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!(" ({} : Z)", names.join(" ")),
    }
}

fn forall(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!("forall{}, ", binder(names)),
    }
}

/// A name with nothing in it that Coq could take offence at.
fn identifier(name: &str) -> String {
    let plain = |character: char| {
        if character.is_ascii_alphanumeric() {
            character
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}
