//! Which of many formulas hold together: the largest part of them that every rule keeps.
//!
//! All are believed at first. An implication whose premises satisfy what is believed of them, and whose conclusion does not, refutes
//! everything that its model contradicts, until there is none. What is left is inductive, and nothing that is left out could be added
//! (Flanagan and Leino 2001, Houdini). The seeds have no such step; hints, guesses and what others have found are sorted by it.
//!
//! An implication has one solver, which is told once what it may lead into, each formula under a flag of its own, and with each question what is
//! believed of its premises. Linear arithmetic answers, and Z3 what it leaves open. It is asked again only when something about its
//! premises has been given up, or something about its conclusion is new.

use super::StopReason;
use super::model::Model;
use crate::solver::{Answer, QuestionSolver};
use crate::terms::{SortId, Substitution, TermId, Terms, Theory};

/// What an implication says of a relation: that arguments are in it, which are put in the place of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    /// The relation, by a number that the caller gives.
    pub relation: usize,
    pub instance: Substitution,
}

/// The premises and the constraint imply the conclusion.
#[derive(Clone, Debug)]
pub(crate) struct Implication {
    pub premises: Vec<Occurrence>,
    pub constraint: Vec<TermId>,
    pub conclusion: Occurrence,
    /// All its variables.
    pub variables: Vec<TermId>,
}

/// How it stands with a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Believed,
    Refuted,
    /// It holds for other reasons: premises may use it, and no conclusion need have it.
    Known,
}

/// A formula over the parameters of a relation.
#[derive(Clone, Copy, Debug)]
struct Claim {
    relation: usize,
    formula: TermId,
    standing: Standing,
}

/// What asks an implication, made when it is asked first.
struct Asked {
    solver: QuestionSolver,
    /// How many claims it has been told of.
    claims: usize,
    /// What claims say of the premises: the claim, and the instance.
    assumed: Vec<(usize, TermId)>,
    concluded: Vec<Conclusion>,
    /// A flag under which one of the conclusions so far is denied.
    some_denied: TermId,
}

/// What a claim says of an implication's conclusion.
#[derive(Clone, Copy)]
struct Conclusion {
    claim: usize,
    instance: TermId,
    /// A flag under which the instance does not hold. It is asserted once, however often something is given up.
    denied: TermId,
}

/// The formulas, and the implications that test them.
pub(crate) struct Houdini {
    implications: Vec<Implication>,
    claims: Vec<Claim>,
    asked: Vec<Option<Asked>>,
    /// Implications that have to be asked again.
    open: Vec<bool>,
    /// What is spent at most on one question, in Z3's units.
    resources: u32,
    /// What questions have cost, in units of work.
    work: u64,
}

/// Says why to stop, given the work so far.
pub(crate) type Stop<'a> = &'a dyn Fn(u64) -> Option<StopReason>;

impl Houdini {
    pub fn new(implications: Vec<Implication>, resources: u32) -> Houdini {
        Houdini {
            claims: Vec::new(),
            asked: implications.iter().map(|_| None).collect(),
            open: vec![false; implications.len()],
            implications,
            resources,
            work: 0,
        }
    }

    /// Adds a formula that is believed until something refutes it; the position by which it is spoken of.
    pub fn believe(&mut self, relation: usize, formula: TermId) -> usize {
        for (open, implication) in self.open.iter_mut().zip(&self.implications) {
            *open |= implication.conclusion.relation == relation;
        }
        self.add(relation, formula, Standing::Believed)
    }

    /// Adds a formula that may be assumed of a premise, and is not asked about.
    pub fn suppose(&mut self, relation: usize, formula: TermId) {
        self.add(relation, formula, Standing::Known);
    }

    /// Begins again: what has stood is known from now on, and what was refuted is believed once more, beside what is new.
    pub fn begin_again(&mut self) {
        for claim in &mut self.claims {
            claim.standing = match claim.standing {
                Standing::Refuted => Standing::Believed,
                Standing::Believed | Standing::Known => Standing::Known,
            };
        }
        self.open.fill(true);
    }

    fn add(&mut self, relation: usize, formula: TermId, standing: Standing) -> usize {
        self.claims.push(Claim {
            relation,
            formula,
            standing,
        });
        self.claims.len() - 1
    }

    /// Whether nothing has refuted a formula.
    pub fn stands(&self, position: usize) -> bool {
        self.claims[position].standing != Standing::Refuted
    }

    /// The work done, counted.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Gives up what some implication does not keep, until all keep what is left. A question that stays open counts against what
    /// it was asked about.
    pub fn refute(&mut self, terms: &mut Terms, stop: Stop<'_>) -> Result<(), StopReason> {
        while let Some(index) = self.open.iter().position(|is_open| *is_open) {
            self.open[index] = false;
            if !self.refute_by(index, terms, stop)? {
                continue;
            }
            let concluded = self.implications[index].conclusion.relation;
            for (open, implication) in self.open.iter_mut().zip(&self.implications) {
                *open |= implication.premises.iter().any(|premise| premise.relation == concluded);
            }
        }
        Ok(())
    }

    /// Gives up what one implication does not lead into; whether there was anything.
    fn refute_by(&mut self, index: usize, terms: &mut Terms, stop: Stop<'_>) -> Result<bool, StopReason> {
        self.instantiate(index, terms);
        let mut any = false;
        loop {
            if let Some(reason) = stop(self.work()) {
                return Err(reason);
            }
            let Some(asked) = &self.asked[index] else {
                return Ok(any);
            };
            let is_believed = |one: &Conclusion| self.claims[one.claim].standing == Standing::Believed;
            let (claimed, others): (Vec<Conclusion>, Vec<Conclusion>) =
                asked.concluded.iter().partition(|one| is_believed(one));
            if claimed.is_empty() {
                return Ok(any);
            }
            let mut denial = vec![asked.some_denied];
            denial.extend(others.iter().map(|other| terms.not(other.denied)));
            match self.ask(index, &denial, terms) {
                Answer::Unsatisfiable => return Ok(any),
                Answer::Satisfiable if self.refute_by_model(index, &claimed, terms) => any = true,
                _ => return Ok(self.one_by_one(index, &claimed, terms, stop)? || any),
            }
        }
    }

    /// What all claims say of an implication, as far as that has not been found out yet.
    fn instantiate(&mut self, index: usize, terms: &mut Terms) {
        let implication = &self.implications[index];
        let resources = self.resources;
        let said = implication.constraint.iter().chain(&implication.variables);
        let asked = self.asked[index].get_or_insert_with(|| {
            let theory = Theory::of(terms, said.copied());
            let mut solver = QuestionSolver::new(theory, resources);
            let constraint = implication.constraint.iter();
            constraint.for_each(|formula| solver.assert(terms, *formula));
            Asked {
                solver,
                claims: 0,
                assumed: Vec::new(),
                concluded: Vec::new(),
                some_denied: TermId::FALSE,
            }
        });
        let instances = |terms: &mut Terms, occurrence: &Occurrence| -> Vec<(usize, TermId)> {
            let new = self.claims.iter().enumerate().skip(asked.claims);
            let new: Vec<usize> = new
                .filter(|(_, claim)| claim.relation == occurrence.relation)
                .map(|(at, _)| at)
                .collect();
            let formulas: Vec<TermId> = new.iter().map(|at| self.claims[*at].formula).collect();
            let instances = terms.substitute_all(&formulas, &occurrence.instance);
            let instances = new.into_iter().zip(instances);
            instances.filter(|(_, instance)| *instance != TermId::TRUE).collect()
        };
        for premise in &implication.premises {
            asked.assumed.extend(instances(terms, premise));
        }
        let new = instances(terms, &implication.conclusion);
        asked.claims = self.claims.len();
        if new.is_empty() {
            return;
        }
        for (claim, instance) in new {
            let denied = terms.fresh_variable("Denied", SortId::BOOL);
            let parts = [denied, instance].map(|part| terms.not(part));
            let meaning = terms.or(&parts);
            asked.solver.assert(terms, meaning);
            asked.concluded.push(Conclusion {
                claim,
                instance,
                denied,
            });
        }
        asked.some_denied = terms.fresh_variable("SomeDenied", SortId::BOOL);
        let mut parts = vec![terms.not(asked.some_denied)];
        parts.extend(asked.concluded.iter().map(|one| one.denied));
        let meaning = terms.or(&parts);
        asked.solver.assert(terms, meaning);
    }

    /// Gives up everything that the model of the last question contradicts; whether there was anything.
    fn refute_by_model(&mut self, index: usize, claimed: &[Conclusion], terms: &Terms) -> bool {
        let variables = &self.implications[index].variables;
        let asked = self.asked[index].as_mut();
        let values = asked.and_then(|asked| asked.solver.model(terms, variables));
        let Some(mut model) = values.map(Model::new) else {
            return false;
        };
        let mut any = false;
        for one in claimed {
            if model.holds(terms, one.instance) == Some(false) {
                self.claims[one.claim].standing = Standing::Refuted;
                any = true;
            }
        }
        any
    }

    /// Keeps what follows on its own; whether something does not.
    fn one_by_one(
        &mut self,
        index: usize,
        claimed: &[Conclusion],
        terms: &mut Terms,
        stop: Stop<'_>,
    ) -> Result<bool, StopReason> {
        let mut any = false;
        for one in claimed {
            if let Some(reason) = stop(self.work()) {
                return Err(reason);
            }
            if self.ask(index, &[one.denied], terms) != Answer::Unsatisfiable {
                self.claims[one.claim].standing = Standing::Refuted;
                any = true;
            }
        }
        Ok(any)
    }

    /// Whether an implication has a model with everything that is believed of its premises, under a denial.
    fn ask(&mut self, index: usize, denial: &[TermId], terms: &Terms) -> Answer {
        let Some(asked) = self.asked[index].as_mut() else {
            return Answer::Unknown;
        };
        let is_assumed = |at: usize| self.claims[at].standing != Standing::Refuted;
        let assumed = asked.assumed.iter().filter(|(at, _)| is_assumed(*at));
        let mut assumptions: Vec<TermId> = assumed.map(|(_, instance)| *instance).collect();
        assumptions.extend(denial);
        let before = asked.solver.work();
        let answer = asked.solver.check(terms, &assumptions);
        self.work += asked.solver.work().saturating_sub(before);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `p(0, 0)`, and `p(X + 1, Y + X)` from `p(X, Y)`.
    fn sums(terms: &mut Terms) -> (Vec<Implication>, [TermId; 2]) {
        let parameters = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let (zero, one) = (terms.integer(0), terms.integer(1));
        let begin = Implication {
            premises: Vec::new(),
            constraint: Vec::new(),
            conclusion: Occurrence {
                relation: 0,
                instance: Substitution::of(terms, &parameters, &[zero, zero]),
            },
            variables: Vec::new(),
        };
        let variables = ["A", "B"].map(|name| terms.fresh_variable(name, SortId::INT));
        let next = [terms.add(variables[0], one), terms.add(variables[1], variables[0])];
        let step = Implication {
            premises: vec![Occurrence {
                relation: 0,
                instance: Substitution::of(terms, &parameters, &variables),
            }],
            constraint: Vec::new(),
            conclusion: Occurrence {
                relation: 0,
                instance: Substitution::of(terms, &parameters, &next),
            },
            variables: variables.to_vec(),
        };
        (vec![begin, step], parameters)
    }

    fn kept(formulas: &dyn Fn(&mut Terms, [TermId; 2]) -> Vec<TermId>, supposed: Option<usize>) -> Vec<bool> {
        let mut terms = Terms::new();
        let (implications, parameters) = sums(&mut terms);
        let mut houdini = Houdini::new(implications, 0);
        let formulas = formulas(&mut terms, parameters);
        let mut positions = Vec::new();
        for (at, formula) in formulas.into_iter().enumerate() {
            if supposed == Some(at) {
                houdini.suppose(0, formula);
            } else {
                positions.push(houdini.believe(0, formula));
            }
        }
        houdini.refute(&mut terms, &|_| None).expect("nothing stops it");
        positions.into_iter().map(|at| houdini.stands(at)).collect()
    }

    #[test]
    fn what_holds_together_is_kept() {
        let formulas = |terms: &mut Terms, [x, y]: [TermId; 2]| {
            let (zero, seven) = (terms.integer(0), terms.integer(7));
            let small = terms.less(x, seven);
            vec![terms.less_or_equal(zero, y), small, terms.less_or_equal(zero, x)]
        };
        assert_eq!(kept(&formulas, None), [true, false, true]);
    }

    #[test]
    fn what_rests_on_something_refuted_is_given_up() {
        let formulas = |terms: &mut Terms, [x, y]: [TermId; 2]| {
            let (zero, four) = (terms.integer(0), terms.integer(4));
            vec![terms.less_or_equal(y, zero), terms.less(x, four)]
        };
        assert_eq!(kept(&formulas, None), [false, false]);
    }

    #[test]
    fn what_is_supposed_is_used_and_not_asked_about() {
        let formulas = |terms: &mut Terms, [x, y]: [TermId; 2]| {
            let zero = terms.integer(0);
            vec![terms.equal(x, zero), terms.equal(y, zero)]
        };
        assert_eq!(kept(&formulas, Some(0)), [true]);
        assert_eq!(kept(&formulas, None), [false, false]);
    }
}
