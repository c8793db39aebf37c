//! Rules: what every front end produces and the engine consumes (seed 004, preliminaries).
//!
//! A [`Rule`] `p(X̃) :- Ψ, q(Ỹ)` is a transition from `p` to `q` under the constraint `Ψ`. A [`Program`] owns its terms,
//! predicates and rules. Two predicates are always there: [`PredicateId::QUERY`], from which the rules made of the queries
//! start, and [`PredicateId::ERROR`], which no rule leaves: a program is safe when `error` cannot be derived from a query.
//!
//! Nothing here knows where the rules came from, nor what will be done with them.

mod derivation;
mod graph;
mod linearization;
mod repetition;
#[cfg(test)]
mod small_domain;
mod stacking;
mod validation;

pub use derivation::{Derivation, Step};
pub use graph::DependencyGraph;
pub use linearization::until_error;
pub use linearization::{NotLinear, copies_loops, linearize};
pub use repetition::turns;
pub use repetition::{Repetition, Turns};
pub use stacking::Stacked;
pub use validation::Malformed;

use crate::terms::{SharedTexts, Sort, SortId, Substitution, TermId, Terms};

/// The id of a predicate inside one [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PredicateId(u32);

impl PredicateId {
    /// The predicate without arguments whose rules are the program's queries.
    pub const QUERY: PredicateId = PredicateId(0);
    /// The predicate without arguments that stands for the error.
    pub const ERROR: PredicateId = PredicateId(1);

    /// The id as an index into [`Program::predicates`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this index.
    pub fn from_index(index: usize) -> PredicateId {
        PredicateId(index as u32)
    }
}

/// The id of a rule inside one [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RuleId(u32);

impl RuleId {
    /// The id as an index into [`Program::rules`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this index.
    pub fn from_index(index: usize) -> RuleId {
        RuleId(index as u32)
    }
}

/// A predicate: a name, perhaps a program point, and typed parameters.
///
/// A predicate whose first argument is an integer literal wherever it occurs, as the seeds write `p(1, X, Y)`, is one
/// predicate per literal here: `name` is `p`, `point` is `1`, and the parameters are the remaining arguments.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The name as the input spells it.
    pub name: String,
    /// The program point, if the input has one as the first argument.
    pub point: Option<String>,
    /// A variable for each argument, by which formulas about the predicate are written.
    pub parameters: Vec<TermId>,
}

/// A predicate applied to arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// One term for each of its parameters, of the parameter's sort.
    pub arguments: Vec<TermId>,
}

/// A place in a source text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// A rule `head :- constraint, body`.
///
/// Its variables belong to it alone. Without an atom in its body, the derivation ends there. With several, each is derived
/// before the next begins; front ends put such rules through [`linearize`], so that everything else sees at most one.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What the rule reduces.
    pub head: Atom,
    /// The conjuncts that must hold.
    pub constraint: Vec<TermId>,
    /// What it reduces to.
    pub body: Vec<Atom>,
    /// Where it was written.
    pub location: Option<Location>,
}

impl Rule {
    /// The terms of the rule: the head's arguments, the constraint, and the arguments of the body.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        let body = self.body.iter().flat_map(|atom| &atom.arguments);
        let all = self.head.arguments.iter().chain(&self.constraint).chain(body);
        all.copied()
    }

    /// Variables that occur nowhere else in the place of the rule's own.
    pub fn renaming(&self, terms: &mut Terms) -> Substitution {
        let roots: Vec<TermId> = self.terms().collect();
        let mut renaming = Substitution::new();
        for variable in terms.variables_of_all(&roots) {
            let name = terms.variable_name(variable).to_string();
            let fresh = terms.fresh_variable(&name, terms.sort(variable));
            renaming.insert(terms, variable, fresh);
        }
        renaming
    }

    /// The rule with variables that occur nowhere else.
    pub fn renamed(&self, terms: &mut Terms) -> Rule {
        let renaming = self.renaming(terms);
        let mut renamed = self.clone();
        renamed.constraint = terms.substitute_all(&self.constraint, &renaming);
        for atom in renamed.body.iter_mut().chain([&mut renamed.head]) {
            atom.arguments = terms.substitute_all(&atom.arguments, &renaming);
        }
        renamed
    }
}

/// A set of rules with its queries, over one table of terms.
#[derive(Clone, Debug)]
pub struct Program {
    /// All terms of the rules.
    pub terms: Terms,
    predicates: Vec<Predicate>,
    rules: Vec<Rule>,
    rules_of: Vec<Vec<RuleId>>,
}

impl Default for Program {
    fn default() -> Self {
        Program::new()
    }
}

impl Program {
    /// A program without rules.
    pub fn new() -> Program {
        let mut program = Program {
            terms: Terms::new(),
            predicates: Vec::new(),
            rules: Vec::new(),
            rules_of: Vec::new(),
        };
        program.add_predicate("query", None, &[]);
        program.add_predicate("error", None, &[]);
        program
    }

    /// Adds a predicate with the given names and sorts of parameters.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::rules::Program;
    /// use clausal::terms::SortId;
    /// let mut program = Program::new();
    /// let p = program.add_predicate("p", Some("1"), &[("X", SortId::INT)]);
    /// assert_eq!(program.predicate_label(p), "p(1)");
    /// ```
    pub fn add_predicate(&mut self, name: &str, point: Option<&str>, parameters: &[(&str, SortId)]) -> PredicateId {
        let parameters = parameters
            .iter()
            .map(|(name, sort)| self.terms.fresh_variable(name, *sort))
            .collect();
        self.push_predicate(Predicate {
            name: name.to_string(),
            point: point.map(str::to_string),
            parameters,
        })
    }

    fn push_predicate(&mut self, predicate: Predicate) -> PredicateId {
        self.predicates.push(predicate);
        self.rules_of.push(Vec::new());
        PredicateId::from_index(self.predicates.len() - 1)
    }

    /// The same predicates and terms, and no rules.
    pub fn without_rules(&self) -> Program {
        Program {
            terms: self.terms.clone(),
            predicates: self.predicates.clone(),
            rules: Vec::new(),
            rules_of: vec![Vec::new(); self.predicates.len()],
        }
    }

    /// The same predicates with other variables for parameters, and no rules.
    pub fn with_parameters(&self, parameters: Vec<Vec<TermId>>) -> Program {
        let mut program = self.without_rules();
        for (predicate, parameters) in program.predicates.iter_mut().zip(parameters) {
            predicate.parameters = parameters;
        }
        program
    }

    /// The same, but what led to the error ends.
    pub fn without_errors(&self) -> Program {
        let mut quiet = self.without_rules();
        for rule in &self.rules {
            let mut rule = rule.clone();
            rule.body.retain(|atom| atom.predicate != PredicateId::ERROR);
            quiet.add_rule(rule);
        }
        quiet
    }

    /// Adds a rule. Whether it fits the predicates is asked later, by [`Program::validate`].
    pub fn add_rule(&mut self, rule: Rule) -> RuleId {
        let id = RuleId::from_index(self.rules.len());
        if let Some(rules) = self.rules_of.get_mut(rule.head.predicate.index()) {
            rules.push(id);
        }
        self.rules.push(rule);
        id
    }

    /// Adds a query `?- constraint, goal`.
    pub fn add_query(&mut self, constraint: Vec<TermId>, goal: Atom, location: Option<Location>) -> RuleId {
        self.add_rule(Rule {
            head: Atom {
                predicate: PredicateId::QUERY,
                arguments: Vec::new(),
            },
            constraint,
            body: vec![goal],
            location,
        })
    }

    /// All predicates; the first two are the query and the error.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// One predicate.
    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// All rules, in the order they were added.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// One rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// Whether some rule has several atoms in its body: all but the last are calls.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// let has_calls = |source: &str| {
    ///     let reading = clausal::clp::read_with_calls(source);
    ///     reading.product.expect("no mistake in it").has_calls()
    /// };
    /// assert!(!has_calls("?- p(0). p(X) :- X < 3, p(X + 1). p(X) :- X > 3, error."));
    /// assert!(has_calls("?- p(0), error. p(X) :- X < 3, p(X + 1), p(X + 2). p(X) :- X > 3."));
    /// ```
    pub fn has_calls(&self) -> bool {
        self.rules.iter().any(|rule| rule.body.len() > 1)
    }

    /// The rules with this predicate as their head, in order.
    pub fn rules_of(&self, predicate: PredicateId) -> &[RuleId] {
        &self.rules_of[predicate.index()]
    }

    /// Whether a predicate has a parameter of this kind of sort.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::Sort;
    ///
    /// let program = clausal::clp::read("?- p(0). p(X) :- X < 9, p(X + 1).").product.expect("no mistake in it");
    /// assert!(program.hands_over(|sort| sort == Sort::Int));
    /// assert!(!program.hands_over(|sort| matches!(sort, Sort::Array(..))));
    /// ```
    pub fn hands_over(&self, kind: impl Fn(Sort) -> bool) -> bool {
        let mut parameters = self.predicates.iter().flat_map(|predicate| &predicate.parameters);
        parameters.any(|parameter| kind(self.terms.sort_of_id(self.terms.sort(*parameter))))
    }

    /// Whether something in the rules has a sort of this kind, handed over or not.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::Sort;
    ///
    /// let program = clausal::clp::read("?- p(0). p(X) :- A = constant(0), A[X] > 0, error.").product.expect("no mistake in it");
    /// assert!(program.is_about(|sort| matches!(sort, Sort::Array(..))));
    /// assert!(!program.is_about(|sort| matches!(sort, Sort::Float(_))));
    /// ```
    pub fn is_about(&self, kind: impl Fn(Sort) -> bool) -> bool {
        let roots: Vec<TermId> = self.rules().iter().flat_map(Rule::terms).collect();
        let inside = self.terms.subterms(&roots);
        inside
            .into_iter()
            .any(|term| kind(self.terms.sort_of_id(self.terms.sort(term))))
    }

    /// The predicate as people read it: `p`, or `p(1)` with its program point.
    pub fn predicate_label(&self, id: PredicateId) -> String {
        let predicate = self.predicate(id);
        match &predicate.point {
            Some(point) => format!("{}({point})", predicate.name),
            None => predicate.name.clone(),
        }
    }

    /// An atom as it is written: `p(1, X, Y + 1)`.
    pub fn atom_text(&self, atom: &Atom) -> String {
        let texts = self.terms.shared_texts(&atom.arguments);
        let mut all = texts.definitions.clone();
        all.push(self.atom_with(atom, &texts));
        all.join(", ")
    }

    fn atom_with(&self, atom: &Atom, texts: &SharedTexts<'_>) -> String {
        let predicate = self.predicate(atom.predicate);
        let arguments = atom.arguments.iter().map(|term| texts.text(*term));
        let all: Vec<String> = predicate.point.clone().into_iter().chain(arguments).collect();
        if all.is_empty() {
            predicate.name.clone()
        } else {
            format!("{}({})", predicate.name, all.join(", "))
        }
    }

    /// A rule as it is written: `p(X) :- X < 3, q(X + 1).`
    pub fn rule_text(&self, rule: &Rule) -> String {
        let texts = self.terms.shared_texts(&rule.terms().collect::<Vec<_>>());
        let constraints = rule.constraint.iter().map(|formula| texts.conjunct(*formula));
        let body: Vec<String> = texts
            .definitions
            .iter()
            .cloned()
            .chain(constraints)
            .chain(rule.body.iter().map(|atom| self.atom_with(atom, &texts)))
            .collect();
        let head = self.atom_with(&rule.head, &texts);
        match (rule.head.predicate == PredicateId::QUERY, body.is_empty()) {
            (true, _) => format!("?- {}.", body.join(", ")),
            (false, true) => format!("{head}."),
            (false, false) => format!("{head} :- {}.", body.join(", ")),
        }
    }
}
