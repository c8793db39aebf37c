//! Random programs over lists and trees, with calls, against an oracle of its own: all derivations in which variables have small values.
//! Nothing of it is shared with the library. An error that it finds is one, so no such program may be called safe.

use crate::asked::asked;
use crate::random::Random;
use clausal::clp;
use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

/// More assignments of a rule are not looked at.
const MOST_ASSIGNMENTS: usize = 4_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Int,
    List,
    Tree,
}

/// A value, and with variables a term: what is constructed has parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Term {
    Variable(usize),
    Number(i64),
    /// A number more than a term.
    Plus(Box<Term>, i64),
    /// The name of the constructor, and its parts.
    Made(&'static str, Vec<Term>),
}

#[derive(Clone, Debug)]
struct Atom {
    predicate: usize,
    arguments: Vec<Term>,
}

#[derive(Clone, Debug)]
struct Constraint {
    relation: &'static str,
    left: Term,
    right: Term,
}

#[derive(Clone, Debug)]
struct Rule {
    head: Option<Atom>,
    constraints: Vec<Constraint>,
    body: Vec<Atom>,
    is_error: bool,
    variables: Vec<Sort>,
}

/// A random program as a text, and what its small derivations show.
pub struct RandomProgram {
    pub text: String,
    /// Whether one of them comes to the error.
    pub has_error: bool,
}

/// The program of a seed.
pub fn generate(seed: u64) -> RandomProgram {
    let mut random = Random::new(seed);
    let count = random.between(1, 3) as usize;
    let sorts = [Sort::Int, Sort::List, Sort::Tree];
    let signatures: Vec<Vec<Sort>> = (0..count)
        .map(|_| {
            let arity = random.between(1, 3);
            let any = (0..arity).map(|_| sorts[random.between(0, 2) as usize]);
            any.collect()
        })
        .collect();
    let mut rules = Vec::new();
    for _ in 0..random.between(1, 2) {
        rules.push(rule(&mut random, None, &signatures));
    }
    for predicate in 0..count {
        for _ in 0..random.between(2, 3) {
            rules.push(rule(&mut random, Some(predicate), &signatures));
        }
    }
    let mut text = String::from(":- type tree ---> leaf ; node(tree, int, tree).\n");
    for (predicate, sorts) in signatures.iter().enumerate() {
        let sorts: Vec<&str> = sorts.iter().map(|sort| sort.name()).collect();
        text.push_str(&format!(":- pred p{predicate}({}).\n", sorts.join(", ")));
    }
    for rule in &rules {
        text.push_str(&format!("{rule}\n"));
    }
    RandomProgram {
        text,
        has_error: has_error(&rules),
    }
}

/// A rule, drawn again if it has too many variables.
fn rule(random: &mut Random, predicate: Option<usize>, signatures: &[Vec<Sort>]) -> Rule {
    loop {
        let mut rule = Rule {
            head: None,
            constraints: Vec::new(),
            body: Vec::new(),
            is_error: predicate.is_none() || random.percent(8),
            variables: Vec::new(),
        };
        if let Some(predicate) = predicate {
            let arguments = signatures[predicate]
                .iter()
                .map(|sort| pattern(random, *sort, &mut rule.variables));
            let arguments = arguments.collect();
            rule.head = Some(Atom { predicate, arguments });
        }
        let atoms = match predicate {
            None => random.between(1, 2),
            Some(_) => random.between(0, 2),
        };
        for _ in 0..atoms {
            let predicate = random.between(0, signatures.len() as i64 - 1) as usize;
            let arguments = signatures[predicate]
                .iter()
                .map(|sort| term(random, *sort, &mut rule.variables));
            let arguments = arguments.collect();
            rule.body.push(Atom { predicate, arguments });
        }
        for _ in 0..random.between(0, 2) {
            rule.constraints.extend(constraint(random, &mut rule.variables));
        }
        let assignments = rule.variables.iter().map(|sort| sort.values().len());
        if assignments.product::<usize>() <= MOST_ASSIGNMENTS {
            return rule;
        }
    }
}

fn variable(random: &mut Random, sort: Sort, variables: &mut Vec<Sort>, fresh: i64) -> Term {
    let known: Vec<usize> = (0..variables.len()).filter(|index| variables[*index] == sort).collect();
    if known.is_empty() || random.percent(fresh) {
        variables.push(sort);
        return Term::Variable(variables.len() - 1);
    }
    Term::Variable(known[random.between(0, known.len() as i64 - 1) as usize])
}

fn pattern(random: &mut Random, sort: Sort, variables: &mut Vec<Sort>) -> Term {
    let mut fresh = |random: &mut Random, sort: Sort| variable(random, sort, variables, 80);
    match (sort, random.between(0, 2)) {
        (Sort::Int, 0) => Term::Number(random.between(0, 2)),
        (Sort::List, 0) => Term::Made("[]", Vec::new()),
        (Sort::List, 1) => Term::Made("[|]", vec![fresh(random, Sort::Int), fresh(random, Sort::List)]),
        (Sort::Tree, 0) => Term::Made("leaf", Vec::new()),
        (Sort::Tree, 1) => {
            let parts = vec![
                fresh(random, Sort::Tree),
                fresh(random, Sort::Int),
                fresh(random, Sort::Tree),
            ];
            Term::Made("node", parts)
        }
        _ => fresh(random, sort),
    }
}

fn term(random: &mut Random, sort: Sort, variables: &mut Vec<Sort>) -> Term {
    match (sort, random.between(0, 5)) {
        (Sort::Int, 0) => {
            let base = variable(random, sort, variables, 10);
            Term::Plus(Box::new(base), random.between(-1, 1))
        }
        (Sort::List | Sort::Tree, 0) => pattern(random, sort, variables),
        _ => variable(random, sort, variables, 15),
    }
}

fn constraint(random: &mut Random, variables: &mut Vec<Sort>) -> Option<Constraint> {
    if variables.is_empty() {
        return None;
    }
    let sort = variables[random.between(0, variables.len() as i64 - 1) as usize];
    let relation = match sort {
        Sort::Int => random.pick(&["=", "\\=", "<", "=<", ">", ">="]),
        Sort::List | Sort::Tree => random.pick(&["=", "\\="]),
    };
    let relations = ["=", "\\=", "<", "=<", ">", ">="];
    let relation = *relations.iter().find(|one| **one == relation)?;
    let (left, right) = (variable(random, sort, variables, 5), pattern(random, sort, variables));
    Some(Constraint { relation, left, right })
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Int => "int",
            Sort::List => "list(int)",
            Sort::Tree => "tree",
        }
    }

    /// The small values.
    fn values(self) -> Vec<Term> {
        let number = Term::Number;
        let cons = |head: i64, tail: Term| Term::Made("[|]", vec![number(head), tail]);
        let (nil, leaf) = (Term::Made("[]", Vec::new()), Term::Made("leaf", Vec::new()));
        let node = |left: Term, value: i64, right: Term| Term::Made("node", vec![left, number(value), right]);
        match self {
            Sort::Int => (-1..=2).map(number).collect(),
            Sort::List => {
                let singles = [0, 1].map(|head| cons(head, nil.clone()));
                let mut values = vec![nil.clone()];
                for head in [0, 2] {
                    values.extend(singles.iter().map(|tail| cons(head, tail.clone())));
                }
                values.extend(singles);
                values
            }
            Sort::Tree => {
                let single = node(leaf.clone(), 1, leaf.clone());
                vec![
                    leaf.clone(),
                    node(leaf.clone(), 0, leaf.clone()),
                    node(single.clone(), 0, leaf.clone()),
                    node(leaf, 2, single.clone()),
                    single,
                ]
            }
        }
    }
}

/// A rule with values for its variables.
struct Instance {
    head: Option<(usize, Vec<Term>)>,
    body: Vec<(usize, Vec<Term>)>,
    is_error: bool,
}

fn instances(rule: &Rule) -> Vec<Instance> {
    let domains: Vec<Vec<Term>> = rule.variables.iter().map(|sort| sort.values()).collect();
    let count: usize = domains.iter().map(Vec::len).product();
    let mut found = Vec::new();
    for number in 0..count {
        let mut rest = number;
        let values: Vec<&Term> = domains
            .iter()
            .map(|domain| {
                let value = &domain[rest % domain.len()];
                rest /= domain.len();
                value
            })
            .collect();
        if rule.constraints.iter().all(|constraint| constraint.holds(&values)) {
            let of = |atom: &Atom| {
                let arguments = atom.arguments.iter().map(|argument| argument.value(&values));
                (atom.predicate, arguments.collect::<Vec<Term>>())
            };
            found.push(Instance {
                head: rule.head.as_ref().map(of),
                body: rule.body.iter().map(of).collect(),
                is_error: rule.is_error,
            });
        }
    }
    found
}

/// Whether the error can be reached: what can be derived to its end, and what comes to the error, up to a fixpoint.
fn has_error(rules: &[Rule]) -> bool {
    let instances: Vec<Instance> = rules.iter().flat_map(instances).collect();
    let mut ends: HashSet<&(usize, Vec<Term>)> = HashSet::new();
    let mut fails: HashSet<&(usize, Vec<Term>)> = HashSet::new();
    loop {
        let before = ends.len() + fails.len();
        for instance in &instances {
            let all_end = instance.body.iter().all(|atom| ends.contains(atom));
            let mut reached = instance.body.iter().enumerate();
            let fails_inside = reached.any(|(position, atom)| {
                fails.contains(atom) && instance.body[..position].iter().all(|atom| ends.contains(atom))
            });
            let is_failure = fails_inside || (instance.is_error && all_end);
            match &instance.head {
                None if is_failure => return true,
                None => {}
                Some(head) => {
                    if is_failure {
                        fails.insert(head);
                    }
                    if all_end && !instance.is_error {
                        ends.insert(head);
                    }
                }
            }
        }
        if ends.len() + fails.len() == before {
            return false;
        }
    }
}

impl Term {
    fn value(&self, values: &[&Term]) -> Term {
        match self {
            Term::Variable(index) => values[*index].clone(),
            Term::Number(_) => self.clone(),
            Term::Plus(base, more) => match base.value(values) {
                Term::Number(number) => Term::Number(number + more),
                other => other,
            },
            Term::Made(name, parts) => Term::Made(name, parts.iter().map(|part| part.value(values)).collect()),
        }
    }
}

impl Constraint {
    fn holds(&self, values: &[&Term]) -> bool {
        let (left, right) = (self.left.value(values), self.right.value(values));
        match (&left, &right, self.relation) {
            (_, _, "=") => left == right,
            (_, _, "\\=") => left != right,
            (Term::Number(left), Term::Number(right), "<") => left < right,
            (Term::Number(left), Term::Number(right), "=<") => left <= right,
            (Term::Number(left), Term::Number(right), ">") => left > right,
            (Term::Number(left), Term::Number(right), _) => left >= right,
            _ => false,
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Variable(index) => write!(out, "V{index}"),
            Term::Number(number) => write!(out, "{number}"),
            Term::Plus(base, more) => write!(out, "{base} + {more}"),
            Term::Made("[|]", parts) => write!(out, "[{} | {}]", parts[0], parts[1]),
            Term::Made(name, parts) if parts.is_empty() => write!(out, "{name}"),
            Term::Made(name, parts) => write!(out, "{name}({}, {}, {})", parts[0], parts[1], parts[2]),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(Term::to_string).collect();
        write!(out, "p{}({})", self.predicate, arguments.join(", "))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constraints = self.constraints.iter();
        let mut body: Vec<String> = constraints
            .map(|one| format!("{} {} {}", one.left, one.relation, one.right))
            .collect();
        body.extend(self.body.iter().map(Atom::to_string));
        body.extend(self.is_error.then(|| "error".to_string()));
        match (&self.head, body.is_empty()) {
            (Some(head), true) => write!(out, "{head}."),
            (Some(head), false) => write!(out, "{head} :- {}.", body.join(", ")),
            (None, _) => write!(out, "?- {}.", body.join(", ")),
        }
    }
}

/// What is said of a program in so much time: whether it is safe, if that is known.
///
/// # Errors
///
/// A text for people that says what disagrees.
pub fn compare(seed: u64, time: Duration) -> Result<(bool, Option<bool>), String> {
    let random = generate(seed);
    let (program, is_safe) = asked(seed, &random.text, time)?;
    if is_safe == Some(true) && random.has_error {
        return Err(format!(
            "seed {seed}: called safe, but it has an error\n{}",
            random.text
        ));
    }
    let printed = clp::print(&program);
    let again = clp::read_with_calls(&printed).product.map(|again| clp::print(&again));
    if again.as_deref() != Some(printed.as_str()) {
        return Err(format!("seed {seed}: printed differently\n{printed}\n{again:?}"));
    }
    Ok((random.has_error, is_safe))
}
