//! Sorts that inference has found, as sorts of terms: datatypes for declared sorts, for what undeclared constructors make, and for
//! the lists of each sort of elements. Those that hold each other are declared together, after what they need.

use super::inference::Inferred;
use super::sorts::{Node, State, sort_text};
use super::syntax::Span;
use super::types::Types;
use crate::diagnostics::Diagnostic;
use crate::terms::{ConstructorId, SortId, Terms};
use hashbrown::{HashMap, HashSet};

/// More datatypes in one text are refused.
const MOST_DATATYPES: usize = 1_000;

/// A sort of which everything is known. The parts of compound ones are indices of [`Collected::list`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Ground {
    Int,
    Real,
    Bool,
    Array(usize, usize),
    List(usize),
    /// An index of [`Types::list`].
    Declared(usize),
    /// The node that stands for what some undeclared constructors make.
    Open(Node),
}

/// All sorts of a text, each once.
#[derive(Default)]
struct Collected {
    list: Vec<Ground>,
    index_of: HashMap<Ground, usize>,
}

/// What the sorts and constructors of a text are among the terms.
#[derive(Default)]
pub(super) struct GroundSorts {
    collected: Collected,
    sorts: Vec<SortId>,
    /// By index of [`Types::constructors`].
    constructors: Vec<Option<ConstructorId>>,
    /// By the name of the constructor.
    undeclared: HashMap<String, ConstructorId>,
}

impl Collected {
    fn intern(&mut self, sort: Ground) -> usize {
        let next = self.list.len();
        let index = *self.index_of.entry(sort).or_insert(next);
        if index == next {
            self.list.push(sort);
        }
        index
    }

    /// The sort of a node. Sorts are not deeper than their limit; what is not known is an integer.
    fn node(&mut self, node: Node, inferred: &mut Inferred<'_>) -> usize {
        if inferred.table.is_too_large(node) {
            return self.intern(Ground::Int);
        }
        let sort = match inferred.table.state(node) {
            State::Real => Ground::Real,
            State::Bool => Ground::Bool,
            State::Array(index, element) => Ground::Array(self.node(index, inferred), self.node(element, inferred)),
            State::List(element) => Ground::List(self.node(element, inferred)),
            State::Declared(index, _) => Ground::Declared(index),
            State::Open(_) => Ground::Open(inferred.table.find(node)),
            State::Int | State::Numeric | State::Unknown | State::Link(_) => Ground::Int,
        };
        self.intern(sort)
    }
}

/// A datatype to be declared.
struct Planned {
    sort: usize,
    name: String,
    /// Each constructor: its name, and its fields with their sorts.
    constructors: Vec<(String, Vec<(String, usize)>)>,
    place: Span,
}

impl GroundSorts {
    /// Declares all datatypes of a text. `None` if there are some that cannot be, which is reported.
    pub fn declare<'a>(
        inferred: &mut Inferred<'a>,
        types: &Types<'a>,
        terms: &mut Terms,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<GroundSorts> {
        let mut collected = Collected::default();
        let roots: Vec<Node> = inferred.all_nodes();
        for node in roots {
            collected.node(node, inferred);
        }
        (0..types.list.len()).for_each(|index| {
            collected.intern(Ground::Declared(index));
        });
        let planned = plan(&mut collected, inferred, types);
        if planned.len() > MOST_DATATYPES {
            let place = planned.last().map_or(0..0, |last| last.place.range());
            let error = Diagnostic::error(place, "too many sorts of terms", format!("more than {MOST_DATATYPES}"));
            diagnostics.push(error.unsupported());
            return None;
        }
        let groups = groups(&collected, &planned);
        let mut found = GroundSorts {
            sorts: vec![SortId::INT; collected.list.len()],
            collected,
            constructors: vec![None; types.constructors.len()],
            undeclared: HashMap::new(),
        };
        let is_fine = groups.into_iter().all(|group| {
            let members: Vec<&Planned> = group.iter().map(|index| &planned[*index]).collect();
            found.declare_group(&members, types, terms, diagnostics)
        });
        // Arrays that no datatype has inside.
        for index in 0..found.collected.list.len() {
            found.resolve(index, terms);
        }
        is_fine.then_some(found)
    }

    /// The sort of a node.
    pub fn sort(&mut self, node: Node, inferred: &mut Inferred<'_>) -> SortId {
        let index = self.collected.node(node, inferred);
        self.sorts.get(index).copied().unwrap_or(SortId::INT)
    }

    /// A declared constructor.
    pub fn constructor(&self, index: usize) -> Option<ConstructorId> {
        self.constructors.get(index).copied().flatten()
    }

    /// A constructor that is not declared.
    pub fn undeclared(&self, name: &str) -> Option<ConstructorId> {
        self.undeclared.get(name).copied()
    }

    /// The sort of terms, where its datatypes are declared; an array's is made.
    fn resolve(&mut self, index: usize, terms: &mut Terms) -> SortId {
        let sort = match self.collected.list[index] {
            Ground::Int => SortId::INT,
            Ground::Real => SortId::REAL,
            Ground::Bool => SortId::BOOL,
            Ground::Array(at, element) => {
                let (at, element) = (self.resolve(at, terms), self.resolve(element, terms));
                terms.array_sort(at, element)
            }
            Ground::List(_) | Ground::Declared(_) | Ground::Open(_) => self.sorts[index],
        };
        self.sorts[index] = sort;
        sort
    }

    fn declare_group<'a>(
        &mut self,
        members: &[&Planned],
        types: &Types<'a>,
        terms: &mut Terms,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let taken: HashSet<String> = terms.datatype_names().into_iter().collect();
        let mut names: Vec<String> = Vec::new();
        let place = members.first().map_or(Span { start: 0, end: 0 }, |first| first.place);
        // The name of a list says what its elements are.
        let element_of = |member: &Planned| match self.collected.list[member.sort] {
            Ground::List(element) => Some(element),
            _ => None,
        };
        let lists: Vec<Option<usize>> = members.iter().map(|member| element_of(member)).collect();
        for member in members {
            let mut name = member.name.clone();
            while taken.contains(&name) || names.contains(&name) {
                name.push('_');
            }
            names.push(name);
        }
        let sorts = terms.declare_datatypes(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for (member, sort) in members.iter().zip(&sorts) {
            self.sorts[member.sort] = *sort;
        }
        for ((member, sort), list) in members.iter().zip(&sorts).zip(lists) {
            let suffix = list.map_or(String::new(), |element| {
                let element = self.resolve(element, terms);
                format!("({})", sort_text(terms, element))
            });
            for (position, (name, fields)) in member.constructors.iter().enumerate() {
                let mut resolved: Vec<(String, SortId)> = Vec::with_capacity(fields.len());
                for (field, field_sort) in fields {
                    let field_sort = self.resolve(*field_sort, terms);
                    resolved.push((format!("{field}{suffix}"), field_sort));
                }
                let fields: Vec<(&str, SortId)> = resolved.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
                let Some(made) = terms.add_constructor(*sort, &format!("{name}{suffix}"), &fields) else {
                    return false;
                };
                match self.collected.list[member.sort] {
                    Ground::Declared(index) => {
                        let own = types.list[index].constructors.get(position);
                        if let Some(place) = own.and_then(|own| self.constructors.get_mut(*own)) {
                            *place = Some(made);
                        }
                    }
                    Ground::Open(_) => {
                        self.undeclared.insert(name.clone(), made);
                    }
                    _ => {}
                }
            }
            if list.is_some() {
                terms.mark_as_list(*sort);
            }
        }
        self.check_group(&sorts, place, terms, diagnostics)
    }

    /// Datatypes have to have values, and must not hold each other inside of arrays.
    fn check_group(&self, sorts: &[SortId], place: Span, terms: &Terms, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let group = sorts.first().and_then(|first| terms.datatype(*first));
        if !terms.are_inhabited(group.map_or(0, |first| first.group)) {
            let error = Diagnostic::error(
                place.range(),
                "terms that are infinitely deep",
                "nothing ends such terms",
            );
            diagnostics.push(error.help(
                "declare the sort with all of its constructors, as in `:- type number ---> zero ; next(number).`",
            ));
            return false;
        }
        if terms.hold_themselves_in_arrays(sorts) {
            let error = Diagnostic::error(
                place.range(),
                "a sort that holds itself inside of an array",
                "of such terms",
            );
            diagnostics.push(
                error
                    .unsupported()
                    .help("hold an index in place of the term, or a list of terms"),
            );
            return false;
        }
        true
    }
}

/// The datatypes that the sorts need, in the order in which they were found; sorts that only these mention are found here.
fn plan<'a>(collected: &mut Collected, inferred: &mut Inferred<'a>, types: &Types<'a>) -> Vec<Planned> {
    let mut planned = Vec::new();
    let mut position = 0;
    while let Some(sort) = collected.list.get(position).copied() {
        match sort {
            Ground::List(element) => planned.push(Planned {
                sort: position,
                name: String::new(),
                constructors: vec![
                    ("nil".to_string(), Vec::new()),
                    (
                        "cons".to_string(),
                        vec![("head".to_string(), element), ("tail".to_string(), position)],
                    ),
                ],
                place: Span { start: 0, end: 0 },
            }),
            Ground::Declared(index) => {
                let mut constructors = Vec::new();
                for own in &types.list[index].constructors {
                    let own = &types.constructors[*own];
                    let fields = own.fields.iter().map(|field| {
                        let node = inferred.table.written(&field.sort, types);
                        (field.name.clone(), collected.node(node, inferred))
                    });
                    constructors.push((own.name.text.to_string(), fields.collect()));
                }
                planned.push(Planned {
                    sort: position,
                    name: types.list[index].name.text.to_string(),
                    constructors,
                    place: types.place(index),
                });
            }
            Ground::Open(node) => planned.push(plan_open(collected, inferred, types, position, node)),
            Ground::Int | Ground::Real | Ground::Bool | Ground::Array(..) => {}
        }
        position += 1;
    }
    for one in &mut planned {
        if let Ground::List(element) = collected.list[one.sort] {
            one.name = format!("list({})", text(collected, inferred, types, element));
        }
    }
    planned
}

/// What undeclared constructors make, named after the first of them.
fn plan_open<'a>(
    collected: &mut Collected,
    inferred: &mut Inferred<'a>,
    types: &Types<'a>,
    sort: usize,
    node: Node,
) -> Planned {
    let members = inferred.constructors_of(node);
    let place = members.first().map_or(Span { start: 0, end: 0 }, |first| first.place);
    let mut name = format!("{}_sort", members.first().map_or("", |first| first.name));
    while types.named(&name).is_some() {
        name.push('_');
    }
    let constructors = members.into_iter().map(|member| {
        let fields = member.fields.iter().enumerate().map(|(position, field)| {
            let name = format!("{}_{}", member.name, position + 1);
            (name, collected.node(*field, inferred))
        });
        (member.name.to_string(), fields.collect())
    });
    let constructors = constructors.collect();
    Planned {
        sort,
        name,
        constructors,
        place,
    }
}

/// A sort in words, for the names of lists: short, for sorts are not larger than their limit.
fn text<'a>(collected: &Collected, inferred: &mut Inferred<'a>, types: &Types<'a>, sort: usize) -> String {
    match collected.list[sort] {
        Ground::Int => "int".to_string(),
        Ground::Real => "real".to_string(),
        Ground::Bool => "bool".to_string(),
        Ground::Array(index, element) => {
            let index = text(collected, inferred, types, index);
            format!("array({index}, {})", text(collected, inferred, types, element))
        }
        Ground::List(element) => format!("list({})", text(collected, inferred, types, element)),
        Ground::Declared(index) => types.list[index].name.text.to_string(),
        Ground::Open(node) => {
            let first = inferred.constructors_of(node).into_iter().next();
            format!("{}_sort", first.map_or("", |first| first.name))
        }
    }
}

/// The planned datatypes by groups of those that hold each other; a group stands after those that it needs.
fn groups(collected: &Collected, planned: &[Planned]) -> Vec<Vec<usize>> {
    let of_sort: HashMap<usize, usize> = planned
        .iter()
        .enumerate()
        .map(|(index, one)| (one.sort, index))
        .collect();
    let reached: Vec<HashSet<usize>> = planned
        .iter()
        .enumerate()
        .map(|(own, one)| {
            let mut reached: HashSet<usize> = HashSet::from_iter([own]);
            let mut seen: HashSet<usize> = HashSet::new();
            let fields = |one: &Planned| -> Vec<usize> {
                let fields = one.constructors.iter().flat_map(|(_, fields)| fields);
                fields.map(|(_, sort)| *sort).collect()
            };
            let mut stack = fields(one);
            while let Some(sort) = stack.pop() {
                if !seen.insert(sort) {
                    continue;
                }
                if let Ground::Array(index, element) = collected.list[sort] {
                    stack.extend([index, element]);
                }
                if let Some(index) = of_sort.get(&sort) {
                    reached.insert(*index);
                    stack.extend(fields(&planned[*index]));
                }
            }
            reached
        })
        .collect();
    // Who reaches another, but not the other way round, reaches more.
    let mut order: Vec<usize> = (0..planned.len()).collect();
    order.sort_by_key(|index| (reached[*index].len(), *index));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut done = vec![false; planned.len()];
    for index in &order {
        if std::mem::replace(&mut done[*index], true) {
            continue;
        }
        let mut group = vec![*index];
        for other in &order {
            if !done[*other] && reached[*index].contains(other) && reached[*other].contains(index) {
                done[*other] = true;
                group.push(*other);
            }
        }
        groups.push(group);
    }
    groups
}
