//! The proof that a compressed trace is right (seed 000, remark (B)): its invariants are invariant, and it implies the target.
//!
//! A compressed trace is a program: its steps in a row, and a copy of a loop's rules wherever an invariant stands for
//! iterations. Its runs are the traces that it generalizes; that they imply the target says that no run gets to the target's
//! place without it. The Hoare triples of the loop bodies make a certificate of that program, and so the crate's checker of
//! certificates, which shares nothing with the search for them, checks them, and writes them for other solvers.

use super::CompressError;
use super::algorithm::Task;
use super::biid::{Entry, LoopInvariant, Post};
use super::symbolic::Context;
use super::walk::Walk;
use crate::evidence::{Certificate, Invariant};
use crate::rules::{Atom, PredicateId, Program, Rule, RuleId};
use crate::terms::{SortId, Substitution, TermId, Terms};
use std::collections::VecDeque;
use std::ops::Range;

/// A Hoare triple {P} statements {Q} of a loop body. Formulas are over the parameters of the predicates.
#[derive(Clone, Debug)]
pub struct Triple {
    /// Where it starts.
    pub from: PredicateId,
    /// What holds there, P.
    pub before: Vec<TermId>,
    /// The rule, which stands for the statements.
    pub rule: RuleId,
    /// Where it ends.
    pub to: PredicateId,
    /// What holds there, Q; `None` for false: the statements cannot be executed there.
    pub after: Option<Vec<TermId>>,
}

/// What a rule of the program of a compressed trace comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Steps of the trace, as one.
    Steps(Range<usize>),
    /// A rule inside the loop of the invariant with this number, counted from the beginning of the trace.
    Loop {
        /// The invariant.
        invariant: usize,
        /// The rule of the original program.
        rule: RuleId,
    },
    /// The target does not hold.
    Target,
}

/// A compressed trace as a program, with the certificate that it never misses the target.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The program. Its error is to get to the target's place without the target.
    pub program: Program,
    /// The triples as a certificate.
    pub certificate: Certificate,
    /// For each rule of the program, by its index, what it comes from.
    pub origins: Vec<Origin>,
}

/// An invariant of a compressed trace with the tree that proves it.
pub(super) struct Proved {
    pub header: PredicateId,
    pub covers: Range<usize>,
    pub number: usize,
    pub proof: LoopInvariant,
}

impl Proved {
    /// The predicate at which the compressed trace goes on.
    fn end(&self) -> PredicateId {
        self.proof.exit.as_ref().map_or(self.header, |exit| exit.predicate)
    }
}

/// The entries of a tree that the header's rests on, the header's first.
pub(super) fn supporting(proof: &LoopInvariant) -> Vec<&Entry> {
    let mut seen = vec![false; proof.entries.len()];
    let mut waiting = VecDeque::from([0]);
    let mut found = Vec::new();
    while let Some(position) = waiting.pop_front() {
        let Some(entry) = proof.entries.get(position) else {
            continue;
        };
        if std::mem::replace(&mut seen[position], true) {
            continue;
        }
        found.push(entry);
        for (_, post) in &entry.triples {
            if let Post::Entry(next) = post {
                waiting.push_back(*next);
            }
        }
    }
    found
}

/// The triples of a loop.
pub(super) fn triples(context: &Context<'_>, proof: &LoopInvariant) -> Vec<Triple> {
    let mut found = Vec::new();
    for entry in supporting(proof) {
        for (id, post) in &entry.triples {
            let transition = context.transition(*id);
            let after = match post {
                Post::Entry(next) => proof.entries.get(*next).map(|next| next.literals.clone()),
                Post::Exit => proof.exit.as_ref().map(|exit| exit.formulas.clone()),
                Post::False => None,
            };
            found.push(Triple {
                from: entry.predicate,
                before: entry.literals.clone(),
                rule: transition.rule,
                to: super::symbolic::target_of(&transition),
                after,
            });
        }
    }
    found
}

/// A rule before there is a program to put it into.
struct Segment {
    from: Option<usize>,
    to: Option<usize>,
    steps: Range<usize>,
    constraint: Vec<TermId>,
    arguments: Vec<TermId>,
}

/// Makes the program and the certificate of a compressed trace.
pub(super) fn prove(context: &mut Context<'_>, task: &Task<'_>, proved: &[Proved]) -> Result<Proof, CompressError> {
    // All terms are made before the program takes over their table.
    let segments = segments(context, task, proved)?;
    let denials: Vec<TermId> = task.target.iter().map(|formula| context.terms.not(*formula)).collect();
    let denial = context.terms.or(&denials);
    let mut program = Program::new();
    program.terms = context.terms.clone();
    let copies: Vec<Vec<Option<PredicateId>>> = proved
        .iter()
        .enumerate()
        .map(|(position, invariant)| copy_predicates(context, &mut program, invariant, position + 1))
        .collect();
    let end = copy_predicate(context.program, &mut program, task.target_predicate, "target");
    let mut builder = Builder {
        context,
        program,
        origins: Vec::new(),
        proved,
        copies,
        end,
    };
    for segment in segments {
        builder.add_segment(segment);
    }
    builder.add_loops();
    builder.add_target(task.target_predicate, denial);
    let certificate = builder.certificate(task);
    Ok(Proof {
        program: builder.program,
        certificate,
        origins: builder.origins,
    })
}

/// The steps between two invariants, as one rule each.
fn segments(context: &mut Context<'_>, task: &Task<'_>, proved: &[Proved]) -> Result<Vec<Segment>, CompressError> {
    let mut segments = Vec::new();
    for next in 0..=proved.len() {
        let before = next.checked_sub(1);
        let (start, walk) = match before.and_then(|before| proved.get(before)) {
            None => (0, Walk::from_query()),
            Some(before) => (before.covers.end, Walk::from(context.at_header(before.end(), &[]))),
        };
        let (end, to) = match proved.get(next) {
            Some(after) => (after.covers.start, Some(next)),
            None => (task.steps.len(), None),
        };
        let mut walk = walk.keeping_all();
        task.follow(context, &mut walk, start..end)?;
        segments.push(Segment {
            from: before,
            to,
            steps: start..end,
            constraint: walk.state.store,
            arguments: walk.state.arguments,
        });
    }
    Ok(segments)
}

fn copy_predicates(
    context: &Context<'_>,
    program: &mut Program,
    invariant: &Proved,
    number: usize,
) -> Vec<Option<PredicateId>> {
    let count = context.program.predicates().len();
    let mut copies = vec![None; count];
    for (index, copy) in copies.iter_mut().enumerate() {
        let predicate = PredicateId::from_index(index);
        if context.loops.numbered(invariant.number).includes(predicate) {
            let name = format!("{}_{number}", context.program.predicate(predicate).name);
            *copy = Some(copy_predicate(context.program, program, predicate, &name));
        }
    }
    if let Some(exit) = &invariant.proof.exit {
        let name = format!("left_{number}");
        copies[exit.predicate.index()] = Some(copy_predicate(context.program, program, exit.predicate, &name));
    }
    copies
}

fn copy_predicate(original: &Program, program: &mut Program, predicate: PredicateId, name: &str) -> PredicateId {
    let original_predicate = original.predicate(predicate);
    let terms = &original.terms;
    let parameters: Vec<(String, SortId)> = original_predicate
        .parameters
        .iter()
        .map(|parameter| (terms.variable_name(*parameter).to_string(), terms.sort(*parameter)))
        .collect();
    let parameters: Vec<(&str, SortId)> = parameters.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
    program.add_predicate(name, original_predicate.point.as_deref(), &parameters)
}

struct Builder<'c, 'a, 'p> {
    context: &'c Context<'a>,
    program: Program,
    origins: Vec<Origin>,
    proved: &'p [Proved],
    /// For each invariant, the copy of each predicate of its loop.
    copies: Vec<Vec<Option<PredicateId>>>,
    end: PredicateId,
}

impl Builder<'_, '_, '_> {
    /// The copy of a predicate in the loop of an invariant.
    fn copy(&self, invariant: usize, original: PredicateId) -> Option<PredicateId> {
        self.copies.get(invariant)?.get(original.index()).copied().flatten()
    }

    fn add_with_origin(&mut self, rule: Rule, origin: Origin) {
        self.program.add_rule(rule);
        self.origins.push(origin);
    }

    fn add_segment(&mut self, segment: Segment) {
        let (head, original) = match segment.from {
            None => (PredicateId::QUERY, PredicateId::QUERY),
            Some(invariant) => {
                let end = self.proved.get(invariant).map(Proved::end);
                match end.and_then(|end| Some((self.copy(invariant, end)?, end))) {
                    Some(end) => end,
                    None => return,
                }
            }
        };
        let body = match segment.to {
            None => self.end,
            Some(invariant) => {
                let header = self.proved.get(invariant).map(|proved| proved.header);
                match header.and_then(|header| self.copy(invariant, header)) {
                    Some(copy) => copy,
                    None => return,
                }
            }
        };
        let rule = Rule {
            head: Atom {
                predicate: head,
                arguments: self.context.program.predicate(original).parameters.clone(),
            },
            constraint: segment.constraint,
            body: vec![Atom {
                predicate: body,
                arguments: segment.arguments,
            }],
            location: None,
        };
        self.add_with_origin(rule, Origin::Steps(segment.steps));
    }

    /// The rules inside the loops.
    fn add_loops(&mut self) {
        let original = self.context.program;
        for (invariant, copies) in self.copies.clone().iter().enumerate() {
            let copy = |atom: &Atom| {
                let predicate = copies.get(atom.predicate.index()).copied().flatten()?;
                Some(Atom {
                    predicate,
                    arguments: atom.arguments.clone(),
                })
            };
            let members = self
                .proved
                .get(invariant)
                .map(|proved| self.context.loops.numbered(proved.number).clone());
            for (index, rule) in original.rules().iter().enumerate() {
                let is_inside = |members: &super::loops::Loop| members.includes(rule.head.predicate);
                if !members.as_ref().is_some_and(is_inside) {
                    continue;
                }
                let (Some(head), Some(Some(body))) = (copy(&rule.head), rule.body.first().map(copy)) else {
                    continue;
                };
                let copied = Rule {
                    head,
                    constraint: rule.constraint.clone(),
                    body: vec![body],
                    location: rule.location,
                };
                let rule = RuleId::from_index(index);
                self.add_with_origin(copied, Origin::Loop { invariant, rule });
            }
        }
    }

    fn add_target(&mut self, original: PredicateId, denial: TermId) {
        let rule = Rule {
            head: Atom {
                predicate: self.end,
                arguments: self.context.program.predicate(original).parameters.clone(),
            },
            constraint: vec![denial],
            body: vec![Atom {
                predicate: PredicateId::ERROR,
                arguments: Vec::new(),
            }],
            location: None,
        };
        self.add_with_origin(rule, Origin::Target);
    }

    fn certificate(&self, task: &Task<'_>) -> Certificate {
        let mut terms = self.program.terms.clone();
        let mut invariants = Vec::new();
        for (proved, copies) in self.proved.iter().zip(&self.copies) {
            let entries = supporting(&proved.proof);
            for (index, copy) in copies.iter().enumerate() {
                let Some(copy) = *copy else {
                    continue;
                };
                let original = PredicateId::from_index(index);
                let mut disjuncts: Vec<Vec<TermId>> = Vec::new();
                if let Some(exit) = proved.proof.exit.as_ref().filter(|exit| exit.predicate == original) {
                    disjuncts.push(self.moved(&mut terms, original, copy, &exit.formulas));
                }
                for entry in entries.iter().filter(|entry| entry.predicate == original) {
                    let disjunct = self.moved(&mut terms, original, copy, &entry.literals);
                    if !disjuncts.contains(&disjunct) {
                        disjuncts.push(disjunct);
                    }
                }
                let predicate = copy;
                invariants.push(Invariant { predicate, disjuncts });
            }
        }
        invariants.push(Invariant {
            predicate: self.end,
            disjuncts: vec![self.moved(&mut terms, task.target_predicate, self.end, &task.target)],
        });
        invariants.sort_by_key(|invariant| invariant.predicate);
        Certificate::new(terms, invariants)
    }

    /// Formulas about a predicate of the original program, about its copy.
    fn moved(&self, terms: &mut Terms, original: PredicateId, copy: PredicateId, formulas: &[TermId]) -> Vec<TermId> {
        let from = &self.context.program.predicate(original).parameters;
        let to = &self.program.predicate(copy).parameters;
        let substitution = Substitution::of(terms, from, to);
        terms.substitute_all(formulas, &substitution)
    }
}
