//! Compressed traces for people and for machines: what is done where, with an `INV: {…}` line in the place of iterations, as
//! the seed's Fig. 2 has it. In which words is up to the language that the rules come from ([`Wording`]).

use super::{Compression, Item, Trace};
use crate::rules::{PredicateId, Program, RuleId};
use crate::steps::equalities::halves;
use crate::terms::{Comparison, Operator, TermId, Terms};
use serde::Serialize;

/// Something that is done at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Statement {
    /// Where: a line of C, or a predicate.
    pub place: String,
    /// What.
    pub text: String,
}

/// How rules and predicates are spoken of.
pub trait Wording {
    /// The place that a predicate stands for.
    fn place(&self, predicate: PredicateId) -> String;
    /// What a rule stands for, in order.
    fn statements(&self, rule: RuleId) -> Vec<Statement>;
    /// A formula over the parameters of a predicate.
    fn formula(&self, terms: &Terms, predicate: PredicateId, formula: TermId) -> String;
}

/// Rules in CLP syntax: each is one statement, at its head's predicate.
pub struct RuleWording<'a> {
    /// The program.
    pub program: &'a Program,
    /// The program with calls, if this one is it with its [calls on a stack](crate::rules::Stacked): what is said is said of its rules.
    pub with_calls: Option<&'a Program>,
}

impl Wording for RuleWording<'_> {
    fn place(&self, predicate: PredicateId) -> String {
        self.program.predicate_label(predicate)
    }

    fn statements(&self, rule: RuleId) -> Vec<Statement> {
        let original = self
            .with_calls
            .and_then(|program| program.rules().get(rule.index()).map(|rule| (program, rule)));
        let rule = self.program.rule(rule);
        let text = match (original, self.with_calls, rule.body.first()) {
            (Some((program, original)), _, _) => program.rule_text(original),
            // What goes on when a call has come back.
            (None, Some(_), Some(next)) => format!("go on with {}", self.place(next.predicate)),
            _ => self.program.rule_text(rule),
        };
        vec![Statement {
            place: self.place(rule.head.predicate),
            text,
        }]
    }

    fn formula(&self, terms: &Terms, _: PredicateId, formula: TermId) -> String {
        terms.display(formula).to_string()
    }
}

/// A Hoare triple in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TripleText {
    /// What holds before.
    pub before: Vec<String>,
    /// What is done.
    pub statements: Vec<Statement>,
    /// What holds after it; `null` if it cannot be done.
    pub after: Option<Vec<String>>,
}

/// A loop invariant in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InvariantText {
    /// The loop.
    pub place: String,
    /// The conjuncts.
    pub invariant: Vec<String>,
    /// The conjuncts before generalization.
    pub discovered: Vec<String>,
    /// Where the loop is left, if the trace does not go on at its header, with what holds there.
    pub exit: Option<ExitText>,
    /// How many iterations it stands for.
    pub iterations: usize,
    /// How many statements that were.
    pub statements: usize,
    /// The first of these iterations.
    pub first_iteration: Vec<Statement>,
    /// The proof.
    pub triples: Vec<TripleText>,
}

/// A place where a loop is left, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExitText {
    /// The place.
    pub place: String,
    /// The conjuncts.
    pub known: Vec<String>,
}

/// A line of a compressed trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// Something is done.
    Statement(Statement),
    /// Any number of iterations.
    Invariant(InvariantText),
}

/// How often a loop was unrolled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unrolled {
    /// The loop.
    pub place: String,
    /// How often.
    pub times: usize,
}

/// A compressed trace in words.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Listing {
    /// The lines.
    pub lines: Vec<Line>,
    /// Where the target is implied.
    pub target_place: String,
    /// The target's conjuncts.
    pub target: Vec<String>,
    /// How many statements the trace has.
    pub length: usize,
    /// How many lines the compressed one has.
    pub compressed_length: usize,
    /// The loops that had to be unrolled.
    pub unrolled: Vec<Unrolled>,
    /// How many triples prove the invariants.
    pub triples: usize,
    /// Whether inputs have the values that they had in the execution.
    pub inputs_as_read: bool,
    /// How many proof obligations the checker has discharged; `null` if it was not asked.
    pub obligations: Option<usize>,
    /// Seconds that compressing took. The text and the page leave them out: they are the same in every run.
    pub seconds: f64,
}

impl Listing {
    /// A compressed trace in some language's words.
    pub fn new(program: &Program, trace: &Trace, compression: &Compression, wording: &dyn Wording) -> Listing {
        let mut terms = compression.terms.clone();
        let lengths = statement_counts(program, trace, wording);
        let step_starts = |rule: RuleId| program.rule(rule).head.predicate;
        let length_of = |steps: std::ops::Range<usize>| -> usize {
            let steps = trace.steps.get(steps).unwrap_or_default().iter();
            steps
                .map(|step| lengths.get(step.rule.index()).copied().unwrap_or(0))
                .sum()
        };
        let mut lines = Vec::new();
        for item in &compression.items {
            match item {
                Item::Step(position) => {
                    let rule = trace.steps.get(*position).map(|step| step.rule);
                    let statements = rule.map(|rule| wording.statements(rule)).unwrap_or_default();
                    lines.extend(statements.into_iter().map(Line::Statement));
                }
                Item::Invariant(number) => {
                    let Some(invariant) = compression.invariants.get(*number) else {
                        continue;
                    };
                    let mut conjuncts = |predicate: PredicateId, formulas: &[TermId]| {
                        conjuncts(&mut terms, wording, predicate, formulas)
                    };
                    let header = invariant.header;
                    let steps = trace.steps.get(invariant.covers.clone()).unwrap_or_default();
                    let first = steps.iter().skip(1).take_while(|step| step_starts(step.rule) != header);
                    let first = steps.iter().take(1).chain(first);
                    lines.push(Line::Invariant(InvariantText {
                        place: wording.place(header),
                        invariant: conjuncts(header, &invariant.formulas),
                        discovered: conjuncts(header, &invariant.discovered),
                        exit: invariant.exit.as_ref().map(|exit| ExitText {
                            place: wording.place(exit.predicate),
                            known: conjuncts(exit.predicate, &exit.formulas),
                        }),
                        iterations: steps.iter().filter(|step| step_starts(step.rule) == header).count(),
                        statements: length_of(invariant.covers.clone()),
                        first_iteration: first.flat_map(|step| wording.statements(step.rule)).collect(),
                        triples: invariant
                            .triples
                            .iter()
                            .map(|triple| TripleText {
                                before: conjuncts(triple.from, &triple.before),
                                statements: wording.statements(triple.rule),
                                after: triple.after.as_ref().map(|after| conjuncts(triple.to, after)),
                            })
                            .collect(),
                    }));
                }
            }
        }
        let target = conjuncts(&mut terms, wording, compression.target_predicate, &compression.target);
        let unrolled = compression.unrolled.iter().map(|(header, times)| Unrolled {
            place: wording.place(*header),
            times: *times,
        });
        Listing {
            target_place: wording.place(compression.target_predicate),
            target,
            length: length_of(0..compression.length),
            compressed_length: lines.len(),
            seconds: compression.seconds,
            unrolled: unrolled.collect(),
            triples: compression
                .invariants
                .iter()
                .map(|invariant| invariant.triples.len())
                .sum(),
            inputs_as_read: compression.inputs_as_read,
            obligations: compression.checked.map(|report| report.obligations),
            lines,
        }
    }

    /// The listing as one line of JSON, with the file's name.
    pub fn json(&self, file: &str) -> String {
        let mut fields = serde_json::Map::new();
        fields.insert("file".to_string(), file.into());
        if let Ok(serde_json::Value::Object(rest)) = serde_json::to_value(self) {
            fields.extend(rest);
        }
        fields.insert("percent".to_string(), self.percent().into());
        serde_json::Value::Object(fields).to_string()
    }

    /// By how many per cent the trace became shorter, rounded down.
    pub fn percent(&self) -> usize {
        let saved = self.length.saturating_sub(self.compressed_length);
        (saved * 100).checked_div(self.length).unwrap_or(0)
    }
}

/// For each rule that the trace has, by its index, how many statements it stands for.
fn statement_counts(program: &Program, trace: &Trace, wording: &dyn Wording) -> Vec<usize> {
    let mut counts: Vec<Option<usize>> = vec![None; program.rules().len()];
    for step in &trace.steps {
        if let Some(count) = counts.get_mut(step.rule.index()) {
            count.get_or_insert_with(|| wording.statements(step.rule).len());
        }
    }
    counts.into_iter().map(Option::unwrap_or_default).collect()
}

/// Conjuncts as texts, two halves of an equality as one.
fn conjuncts(terms: &mut Terms, wording: &dyn Wording, predicate: PredicateId, formulas: &[TermId]) -> Vec<String> {
    let formulas: Vec<TermId> = formulas
        .iter()
        .copied()
        .filter(|formula| !formulas.iter().any(|other| is_tighter(terms, *other, *formula)))
        .collect();
    let mut texts = Vec::new();
    let mut done = Vec::new();
    for formula in &formulas {
        if done.contains(formula) {
            continue;
        }
        let whole = equality(terms, *formula);
        let other = whole.and_then(|whole| {
            let other = halves(terms, whole)?.into_iter().find(|half| half != formula)?;
            formulas.contains(&other).then_some((whole, other))
        });
        match other {
            Some((whole, other)) => {
                done.push(other);
                texts.push(wording.formula(terms, predicate, whole));
            }
            None => texts.push(wording.formula(terms, predicate, *formula)),
        }
    }
    texts
}

/// Whether one formula is a tighter bound of what another one bounds.
fn is_tighter(terms: &Terms, tighter: TermId, formula: TermId) -> bool {
    let bound = |formula: TermId| match (terms.operator(formula), terms.arguments(formula)) {
        (Operator::LessOrEqual, [sum, bound]) => Some((*sum, terms.number_value(*bound)?)),
        _ => None,
    };
    match (bound(tighter), bound(formula)) {
        (Some((sum, tight)), Some((other, loose))) => sum == other && tight < loose,
        _ => false,
    }
}

/// The equality that an inequality is half of.
fn equality(terms: &mut Terms, formula: TermId) -> Option<TermId> {
    let linear = terms.linear_atom(formula)?;
    if linear.comparison != Comparison::LessOrEqual {
        return None;
    }
    let sort = terms.sort(*terms.arguments(formula).first()?);
    Some(terms.linear_formula(&linear.form, Comparison::Equal, sort))
}
