//! Where arrays begin: cells of several arrays belong together although their indices differ.
//!
//! Front ends that know only one memory read `a[i]` as the element at `A + i`, with `A` for the address of `a`; what is copied from `a` to
//! `b` is the same at `A + k` as at `B + k`. And what is reversed is the same at `k` as at `n - 1 - k`. So an array is counted here
//! from its own origin, forwards or backwards: a sum of parameters that go unchanged wherever the array goes, the same in all of
//! its accesses. This is a change of names for indices and no abstraction; [`super`] follows one cell of the arrays that come out.

use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::steps::equations::SolvedRule;
use crate::terms::{LinearForm, Operator, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// Index `k` counted from here is the index `sum + k` of the array, or `sum - k`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Origin {
    /// Positions of parameters, with their coefficients.
    scalars: Vec<(usize, Rational)>,
    constant: Rational,
    is_backwards: bool,
}

impl Origin {
    /// The array's own index for one that is counted from here, where the parameters are these arguments.
    pub fn index(&self, terms: &mut Terms, arguments: &[TermId], counted: TermId) -> TermId {
        let form = terms.linear_form(counted);
        let sign = if self.is_backwards {
            -Rational::one()
        } else {
            Rational::one()
        };
        let form = self.form(terms, arguments).add_scaled(&form, &sign);
        terms.linear_term(&form, SortId::INT)
    }

    /// The other way round.
    fn counted(&self, terms: &mut Terms, arguments: &[TermId], index: TermId) -> TermId {
        let sign = if self.is_backwards {
            -Rational::one()
        } else {
            Rational::one()
        };
        let sum = self.form(terms, arguments);
        let form = terms.linear_form(index).add_scaled(&sum, &-Rational::one());
        terms.linear_term(&form.scaled(&sign), SortId::INT)
    }

    fn form(&self, terms: &Terms, arguments: &[TermId]) -> LinearForm {
        let mut form = LinearForm::constant(self.constant.clone());
        for (position, by) in &self.scalars {
            if let Some(argument) = arguments.get(*position) {
                form = form.add_scaled(&terms.linear_form(*argument), by);
            }
        }
        form
    }
}

/// An array parameter: the predicate's index, and the position.
type Node = (usize, usize);

/// Origins for array parameters.
pub(super) type Origins = BTreeMap<Node, Origin>;

/// The program with arrays counted from their origins, if these differ anywhere; they are kept by predicates and positions.
pub(super) fn counted_from_origins(program: &Program) -> Option<(Program, Origins)> {
    let mut counted = program.without_rules();
    let rules: Vec<Rule> = program
        .rules()
        .iter()
        .map(|rule| {
            // What the rule does to the head's parameters is seen best when these stay what they are.
            let own: HashSet<TermId> = rule.head.arguments.iter().copied().collect();
            let solved = SolvedRule::keeping(&mut counted.terms, rule, &|variable| own.contains(&variable));
            Rule {
                head: solved.head,
                body: solved.body,
                constraint: solved.constraint,
                location: rule.location,
            }
        })
        .collect();
    let parts: Vec<ArraysOfRule> = rules
        .iter()
        .map(|rule| ArraysOfRule::new(&counted.terms, rule))
        .collect();
    let origins = origins(program, &counted.terms, &rules, &parts);
    let none = Origin::default();
    let differ = |predicate: usize| {
        let parameters = 0..program.predicates()[predicate].parameters.len();
        let is_array = |position: &usize| {
            let sort = program
                .terms
                .sort(program.predicates()[predicate].parameters[*position]);
            program.terms.index_sort(sort) == Some(SortId::INT)
        };
        let mut own = parameters.filter(is_array);
        let of = |position: usize| origins.get(&(predicate, position)).unwrap_or(&none);
        own.next().is_some_and(|first| own.any(|other| of(other) != of(first)))
    };
    if !(0..program.predicates().len()).any(differ) {
        return None;
    }
    for (rule, parts) in rules.into_iter().zip(&parts) {
        let rule = parts.counted(&mut counted.terms, &origins, rule);
        counted.add_rule(rule);
    }
    Some((counted, origins))
}

/// Which arrays of a rule have to be counted in one way, because one is made of the other or compared with it.
struct ArraysOfRule {
    /// For each array that is not made of others, the first one of its class.
    classes: HashMap<TermId, TermId>,
    /// The array parameters of the rule's atoms in each class; 0 is the head.
    members: BTreeMap<TermId, Vec<(usize, Node)>>,
    /// Classes with arrays that are elements of something, or whose elements come from elsewhere.
    fixed: HashSet<TermId>,
    /// The indices at which arrays of a class are read or written; whether it is a write.
    accesses: Vec<(TermId, TermId, bool)>,
}

impl ArraysOfRule {
    fn new(terms: &Terms, rule: &Rule) -> ArraysOfRule {
        let mut found = ArraysOfRule {
            classes: HashMap::new(),
            members: BTreeMap::new(),
            fixed: HashSet::new(),
            accesses: Vec::new(),
        };
        let atoms = || std::iter::once(&rule.head).chain(&rule.body);
        let roots = rule.constraint.iter().chain(atoms().flat_map(|atom| &atom.arguments));
        let parts = terms.subterms(&roots.copied().collect::<Vec<_>>());
        for part in &parts {
            if let (Operator::Equal | Operator::IfThenElse, [.., left, right]) =
                (terms.operator(*part), terms.arguments(*part))
                && is_array(terms, *left)
            {
                found.unite(terms, *left, *right);
            }
        }
        for part in &parts {
            let arguments = terms.arguments(*part);
            let operator = terms.operator(*part);
            for (position, argument) in arguments.iter().enumerate().filter(|(_, one)| is_array(terms, **one)) {
                let is_followed = match operator {
                    Operator::Select | Operator::Store => position == 0,
                    Operator::Equal | Operator::IfThenElse => true,
                    _ => false,
                };
                if !is_followed {
                    let class = found.class(terms, *argument);
                    found.fixed.insert(class);
                }
            }
            if is_array(terms, *part) && leaf(terms, *part) == *part && !terms.is_variable(*part) {
                let class = found.class(terms, *part);
                if !matches!(operator, Operator::ConstantArray) {
                    found.fixed.insert(class);
                }
            }
            if let (Operator::Select | Operator::Store, [array, index, ..]) = (operator, arguments) {
                let class = found.class(terms, *array);
                match terms.sort(*index) {
                    SortId::INT => found.accesses.push((class, *index, operator == Operator::Store)),
                    _ => drop(found.fixed.insert(class)),
                }
            }
        }
        for (at, atom) in atoms().enumerate() {
            for (position, argument) in atom.arguments.iter().enumerate() {
                if is_array(terms, *argument) {
                    let class = found.class(terms, *argument);
                    let node = (atom.predicate.index(), position);
                    found.members.entry(class).or_default().push((at, node));
                }
            }
        }
        found
    }

    fn class(&self, terms: &Terms, array: TermId) -> TermId {
        let leaf = leaf(terms, array);
        self.classes.get(&leaf).copied().unwrap_or(leaf)
    }

    fn unite(&mut self, terms: &Terms, one: TermId, other: TermId) {
        let (kept, gone) = (self.class(terms, one), self.class(terms, other));
        if kept != gone {
            self.classes
                .values_mut()
                .filter(|class| **class == gone)
                .for_each(|class| *class = kept);
            self.classes.insert(gone, kept);
            self.classes.insert(kept, kept);
        }
    }

    /// The rule with arrays counted from their origins.
    fn counted(&self, terms: &mut Terms, origins: &Origins, rule: Rule) -> Rule {
        let atoms: Vec<&Atom> = std::iter::once(&rule.head).chain(&rule.body).collect();
        let mut by_class: HashMap<TermId, (&Origin, &[TermId])> = HashMap::new();
        for (class, members) in &self.members {
            if let Some((atom, node)) = members.first()
                && let Some(origin) = origins.get(node)
            {
                by_class.insert(*class, (origin, &atoms[*atom].arguments));
            }
        }
        let mut done = HashMap::new();
        let mut all = |term: &TermId| self.counted_term(terms, &by_class, &mut done, *term);
        let constraint = rule.constraint.iter().map(&mut all).collect();
        let mut counted: Vec<Atom> = Vec::with_capacity(atoms.len());
        for atom in &atoms {
            counted.push(Atom {
                predicate: atom.predicate,
                arguments: atom.arguments.iter().map(&mut all).collect(),
            });
        }
        let head = counted.remove(0);
        Rule {
            head,
            body: counted,
            constraint,
            location: rule.location,
        }
    }

    /// A term with its arrays counted so. Terms are as deeply nested as their readers allow, so is the recursion.
    fn counted_term(
        &self,
        terms: &mut Terms,
        origins: &HashMap<TermId, (&Origin, &[TermId])>,
        done: &mut HashMap<TermId, TermId>,
        term: TermId,
    ) -> TermId {
        if let Some(known) = done.get(&term) {
            return *known;
        }
        let arguments = terms.arguments(term).to_vec();
        let mut counted: Vec<TermId> = arguments
            .iter()
            .map(|argument| self.counted_term(terms, origins, done, *argument))
            .collect();
        if let (Operator::Select | Operator::Store, [array, ..]) = (terms.operator(term), &arguments[..])
            && let Some((origin, of)) = origins.get(&self.class(terms, *array))
        {
            counted[1] = origin.counted(terms, of, counted[1]);
        }
        let result = match counted == arguments {
            true => term,
            false => terms.with_arguments(term, &counted),
        };
        done.insert(term, result);
        result
    }
}

fn is_array(terms: &Terms, term: TermId) -> bool {
    terms.index_sort(terms.sort(term)).is_some()
}

/// What an array is made of, when stores and choices are looked through.
fn leaf(terms: &Terms, array: TermId) -> TermId {
    let mut array = array;
    loop {
        array = match (terms.operator(array), terms.arguments(array)) {
            (Operator::Store, [inner, ..]) | (Operator::IfThenElse, [_, inner, _]) => *inner,
            _ => return array,
        }
    }
}

/// The origins of all array parameters that have one.
fn origins(program: &Program, terms: &Terms, rules: &[Rule], parts: &[ArraysOfRule]) -> Origins {
    let mut origins = Origins::new();
    for class in classes(parts) {
        let Class { nodes, links, is_fixed } = class;
        if !is_fixed && let Some(root) = nodes.first() {
            let atoms = Links {
                rules,
                parts,
                links: &links,
            };
            let sums = atoms.origin(program, terms, &nodes, *root);
            origins.extend(sums);
        }
    }
    origins
}

/// Array parameters that have to be counted in one way.
#[derive(Default)]
struct Class {
    nodes: BTreeSet<Node>,
    /// Rules, and classes of arrays in them.
    links: Vec<(usize, TermId)>,
    is_fixed: bool,
}

fn classes(parts: &[ArraysOfRule]) -> Vec<Class> {
    let mut all: Vec<Class> = Vec::new();
    for (rule, part) in parts.iter().enumerate() {
        for (class, members) in &part.members {
            let mut joined = Class {
                nodes: members.iter().map(|(_, node)| *node).collect(),
                links: vec![(rule, *class)],
                is_fixed: part.fixed.contains(class),
            };
            let (touched, rest): (Vec<Class>, Vec<Class>) = all
                .into_iter()
                .partition(|known| !known.nodes.is_disjoint(&joined.nodes));
            all = rest;
            for mut other in touched {
                joined.nodes.append(&mut other.nodes);
                joined.links.append(&mut other.links);
                joined.is_fixed |= other.is_fixed;
            }
            all.push(joined);
        }
    }
    all
}

/// A parameter that goes unchanged wherever some arrays go: its position beside each of them.
type Track = BTreeMap<Node, usize>;

/// Where the arrays of a class are.
struct Links<'a> {
    rules: &'a [Rule],
    parts: &'a [ArraysOfRule],
    links: &'a [(usize, TermId)],
}

impl Links<'_> {
    /// The arguments beside each array of the class in each rule.
    fn members(&self) -> impl Iterator<Item = Vec<(Node, &[TermId])>> {
        self.links.iter().map(|(rule, class)| {
            let rule_atoms = &self.rules[*rule];
            let arguments = |at: usize| match at {
                0 => &rule_atoms.head.arguments[..],
                _ => &rule_atoms.body[at - 1].arguments[..],
            };
            let members = self.parts[*rule].members.get(class).map_or(&[][..], Vec::as_slice);
            members.iter().map(|(at, node)| (*node, arguments(*at))).collect()
        })
    }

    fn origin(&self, program: &Program, terms: &Terms, nodes: &BTreeSet<Node>, root: Node) -> Origins {
        let tracks = self.tracks(program, nodes, root);
        // The part of each index that goes with the array, and the sign of the others.
        let mut found: Option<(Vec<Rational>, bool)> = None;
        let mut constant: Option<(bool, Rational)> = None;
        for ((rule, class), members) in self.links.iter().zip(self.members()) {
            let Some((node, arguments)) = members.first() else {
                continue;
            };
            let accesses = self.parts[*rule].accesses.iter().filter(|(of, ..)| of == class);
            for (_, index, is_write) in accesses {
                let form = terms.linear_form(*index);
                let mut sum = vec![Rational::zero(); tracks.len()];
                let (mut forwards, mut backwards) = (false, false);
                for (part, by) in &form.terms {
                    let along = |track: &Track| track.get(node).and_then(|at| arguments.get(*at)) == Some(part);
                    match tracks.iter().position(along) {
                        Some(track) => sum[track] = by.clone(),
                        None if by.is_negative() => backwards = true,
                        None => forwards = true,
                    }
                }
                let own = (sum, backwards);
                if (forwards && backwards) || found.as_ref().is_some_and(|known| *known != own) {
                    return Origins::new();
                }
                found = Some(own);
                // What is written is counted from zero.
                if constant.as_ref().is_none_or(|(of_write, _)| !of_write && *is_write) {
                    constant = Some((*is_write, form.constant));
                }
            }
        }
        let (Some((sum, is_backwards)), Some((_, constant))) = (found, constant) else {
            return Origins::new();
        };
        if sum.iter().all(Zero::is_zero) && !is_backwards {
            return Origins::new();
        }
        let of = |node: &Node| {
            let parts = sum.iter().zip(&tracks).filter(|(by, _)| !by.is_zero());
            Origin {
                scalars: parts.map(|(by, track)| (track[node], by.clone())).collect(),
                constant: constant.clone(),
                is_backwards,
            }
        };
        nodes.iter().map(|node| (*node, of(node))).collect()
    }

    /// The parameters that go unchanged with the arrays.
    fn tracks(&self, program: &Program, nodes: &BTreeSet<Node>, root: Node) -> Vec<Track> {
        let is_number = |(predicate, _): Node, position: &usize| {
            let parameters = &program.predicate(PredicateId::from_index(predicate)).parameters;
            program.terms.sort(parameters[*position]) == SortId::INT
        };
        let positions = |node: Node| {
            let count = program.predicate(PredicateId::from_index(node.0)).parameters.len();
            (0..count).filter(move |position| is_number(node, position))
        };
        let mut tracks = Vec::new();
        for at_root in positions(root) {
            let mut possible: BTreeMap<Node, BTreeSet<usize>> =
                nodes.iter().map(|node| (*node, positions(*node).collect())).collect();
            possible.insert(root, BTreeSet::from([at_root]));
            if self.narrow(&mut possible) {
                let first = possible.iter().filter_map(|(node, all)| Some((*node, *all.first()?)));
                let track: Track = first.collect();
                if self.members().all(|members| {
                    let mut values = members.iter().map(|(node, arguments)| arguments.get(track[node]));
                    let first = values.next();
                    values.all(|value| Some(value) == first)
                }) {
                    tracks.push(track);
                }
            }
        }
        tracks
    }

    /// Leaves only positions at which every rule has the same term; whether any are left everywhere.
    fn narrow(&self, possible: &mut BTreeMap<Node, BTreeSet<usize>>) -> bool {
        loop {
            let mut has_changed = false;
            for members in self.members() {
                let mut common: Option<BTreeSet<TermId>> = None;
                for (node, arguments) in &members {
                    let own = possible[node].iter().filter_map(|at| arguments.get(*at).copied());
                    let own: BTreeSet<TermId> = own.collect();
                    common = Some(common.map_or_else(|| own.clone(), |known| &known & &own));
                }
                let common = common.unwrap_or_default();
                for (node, arguments) in &members {
                    let Some(own) = possible.get_mut(node) else { continue };
                    let before = own.len();
                    own.retain(|at| arguments.get(*at).is_some_and(|value| common.contains(value)));
                    has_changed |= own.len() != before;
                    if own.is_empty() {
                        return false;
                    }
                }
            }
            if !has_changed {
                return true;
            }
        }
    }
}
