//! Functions that are defined by an equation, which may speak of the functions themselves: for certificates that say of a call that
//! what comes back is a function of what was given.
//!
//! A definition is a body over parameters. It means something only if the recursion ends, for which each function has *ranks*: integers
//! over its parameters, of which in each call to a function of the same *group* the first that changes becomes smaller, and not negative.
//! Functions of earlier groups can be called freely. Whoever relies on a definition has to see to that; the table does not.

use super::{
    Assignment, ConstructorId, DatatypeValue, Operator, SmtlibNames, SortId, TermId, Terms, Value, smtlib_symbol,
};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The id of a function in a [`Terms`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(u32);

impl FunctionId {
    /// The id of the function with this index.
    pub fn from_index(index: usize) -> FunctionId {
        FunctionId(index as u32)
    }

    /// The index, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function and its definition.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// Variables that stand for what it is applied to.
    pub parameters: Vec<TermId>,
    /// The sort of its values.
    pub sort: SortId,
    /// What it is, over its parameters; nothing is known of it without.
    pub body: Option<TermId>,
    /// What gets smaller in each call to a function of the same group: integers over the parameters, the first that changes.
    pub ranks: Vec<TermId>,
    /// Functions of a group may call each other, and those of groups before it.
    pub group: u32,
}

impl Terms {
    /// Declares a function, which is not defined yet.
    pub fn declare_function(&mut self, name: &str, parameters: &[SortId], sort: SortId, group: u32) -> FunctionId {
        let parameters = parameters
            .iter()
            .enumerate()
            .map(|(position, sort)| self.fresh_variable(&format!("x{}", position + 1), *sort))
            .collect();
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Function {
            name: name.to_string(),
            parameters,
            sort,
            body: None,
            ranks: Vec::new(),
            group,
        });
        id
    }

    /// Defines a function by a body and ranks over its parameters.
    pub fn define_function(&mut self, id: FunctionId, body: TermId, ranks: Vec<TermId>) {
        if let Some(function) = self.functions.get_mut(id.index()) {
            (function.body, function.ranks) = (Some(body), ranks);
        }
    }

    /// The same terms without any function, for formulas that have none.
    pub fn without_functions(&self) -> Terms {
        let mut terms = self.clone();
        terms.functions.clear();
        terms
    }

    /// All functions, by their index.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// A function applied to terms; `None` if there is no such function.
    pub fn call(&mut self, id: FunctionId, arguments: &[TermId]) -> Option<TermId> {
        let sort = self.functions.get(id.index())?.sort;
        Some(self.intern(Operator::Apply(id), arguments, sort))
    }

    /// The applications of functions inside of formulas, by ascending id.
    pub fn applications(&self, formulas: &[TermId]) -> Vec<TermId> {
        if self.functions.is_empty() {
            return Vec::new();
        }
        let mut found = self.subterms(formulas);
        found.retain(|term| matches!(self.operator(*term), Operator::Apply(_)));
        found.sort();
        found
    }

    /// What an application is by the function's definition.
    pub fn unfolded(&mut self, application: TermId) -> Option<TermId> {
        let Operator::Apply(id) = self.operator(application) else {
            return None;
        };
        let function = self.functions.get(id.index())?;
        let (body, parameters) = (function.body?, function.parameters.clone());
        let arguments = self.arguments(application).to_vec();
        // The body's variables are the parameters only, each of which is replaced at once.
        let mut substitution = super::Substitution::new();
        for (parameter, argument) in parameters.iter().zip(&arguments) {
            substitution.insert(self, *parameter, *argument);
        }
        Some(self.substitute(body, &substitution))
    }
}

/// Values of terms with functions in them, each application calculated once.
#[derive(Default)]
pub struct Values {
    known: BTreeMap<(FunctionId, Vec<Value>), Option<Value>>,
    /// Which formulas have applications inside.
    recurring: HashMap<TermId, bool>,
    depth: usize,
    /// How many applications were calculated.
    pub calculated: u64,
}

/// Applications are calculated so deep inside of each other.
const DEEPEST: usize = 60;
/// Values of more constructors than this are none.
const LARGEST: usize = 300;
/// So many applications are calculated for one.
const MOST: u64 = 4_000;

impl Values {
    /// The value of a term, if it has one that is found.
    pub fn of(&mut self, terms: &Terms, term: TermId, assignment: &Assignment) -> Option<Value> {
        let start = self.calculated;
        self.value(terms, term, assignment, start)
    }

    /// The value of a function, if it has one that is found.
    pub fn applied(&mut self, terms: &Terms, id: FunctionId, values: Vec<Value>) -> Option<Value> {
        let start = self.calculated;
        self.application(terms, id, values, start)
    }

    fn value(&mut self, terms: &Terms, term: TermId, assignment: &Assignment, start: u64) -> Option<Value> {
        if terms.is_variable(term) {
            return assignment.get(&term).cloned();
        }
        let arguments = terms.arguments(term);
        match (terms.operator(term), arguments) {
            (Operator::IfThenElse, [condition, left, right]) => {
                match self.value(terms, *condition, assignment, start)? {
                    Value::Bool(true) => self.value(terms, *left, assignment, start),
                    _ => self.value(terms, *right, assignment, start),
                }
            }
            (operator @ (Operator::And | Operator::Or), parts) => {
                let absorbing = operator == Operator::Or;
                // What does not recur first.
                let mut parts: Vec<TermId> = parts.to_vec();
                parts.sort_by_key(|part| self.recurs(terms, *part));
                let mut is_defined = true;
                for part in parts {
                    match self.value(terms, part, assignment, start) {
                        Some(Value::Bool(value)) if value == absorbing => return Some(Value::Bool(absorbing)),
                        Some(_) => {}
                        None => is_defined = false,
                    }
                }
                is_defined.then_some(Value::Bool(!absorbing))
            }
            (operator, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(terms, *argument, assignment, start)?);
                }
                match operator {
                    Operator::Apply(function) => self.application(terms, function, values, start),
                    Operator::Construct(constructor) => constructed(constructor, values),
                    _ => {
                        let done = arguments.iter().copied().zip(values.into_iter().map(Some)).collect();
                        terms.apply(term, assignment, &done)
                    }
                }
            }
        }
    }

    fn recurs(&mut self, terms: &Terms, term: TermId) -> bool {
        *self
            .recurring
            .entry(term)
            .or_insert_with(|| !terms.applications(&[term]).is_empty())
    }

    fn application(&mut self, terms: &Terms, id: FunctionId, values: Vec<Value>, start: u64) -> Option<Value> {
        let key = (id, values);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.depth >= DEEPEST || self.calculated > start + MOST {
            return None;
        }
        self.calculated += 1;
        let function = terms.functions.get(id.index())?;
        let parameters = function.parameters.iter().copied();
        let assignment: Assignment = parameters.zip(key.1.iter().cloned()).collect();
        self.depth += 1;
        let value = self.value(terms, function.body?, &assignment, start);
        self.depth -= 1;
        if value.is_some() || self.depth == 0 {
            self.known.insert(key, value.clone());
        }
        value
    }
}

/// What a constructor makes of values, if that is not too large.
pub fn constructed(constructor: ConstructorId, values: Vec<Value>) -> Option<Value> {
    let value = Value::Datatype(Arc::new(DatatypeValue::new(constructor, values)?));
    (size(&value) <= LARGEST).then_some(value)
}

/// How many constructors a value is made of.
fn size(value: &Value) -> usize {
    let mut size = 0;
    let mut stack = vec![value];
    while let Some(current) = stack.pop() {
        if let Value::Datatype(whole) = current {
            size += 1;
            stack.extend(&whole.arguments);
        }
    }
    size
}

/// What is known of applications by definition, for formulas in which terms are constructed.
const UNFOLDED: usize = 240;

impl Terms {
    /// Equations that hold by the definitions of functions: of the applications in formulas, and of those that these lead to as far as
    /// their cases are known, and `depth` levels deep where they are not; without a depth, nothing is said of those. `told` are applications
    /// of which nothing has to be said again.
    pub fn definitions(
        &mut self,
        formulas: &[TermId],
        depth: Option<usize>,
        told: &mut HashSet<TermId>,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut waiting: Vec<(TermId, usize)> = self.applications(formulas).into_iter().map(|one| (one, 0)).collect();
        waiting.reverse();
        while let Some((application, level)) = waiting.pop() {
            if found.len() >= UNFOLDED {
                break;
            }
            if told.contains(&application) {
                continue;
            }
            told.insert(application);
            let cases = self.by_cases(application);
            let is_split = cases.is_some();
            let Some(body) = cases.or_else(|| self.unfolded(application)) else {
                continue;
            };
            let is_open =
                self.operator(body) == Operator::IfThenElse || self.sort(body) == SortId::BOOL && body.index() > 1;
            if is_open && depth.is_none() {
                continue;
            }
            let level = level + usize::from(is_open && !is_split);
            found.push(self.equal(application, body));
            if level <= depth.unwrap_or(0) {
                let inner = self.applications(&[body]);
                waiting.extend(inner.into_iter().rev().map(|one| (one, level)));
            }
        }
        found
    }

    /// An application to something conditional, as a conditional of applications.
    fn by_cases(&mut self, application: TermId) -> Option<TermId> {
        let Operator::Apply(id) = self.operator(application) else {
            return None;
        };
        let arguments = self.arguments(application).to_vec();
        let at = arguments
            .iter()
            .position(|argument| self.operator(*argument) == Operator::IfThenElse)?;
        let [condition, left, right] = *self.arguments(arguments[at]) else {
            return None;
        };
        let with = |terms: &mut Terms, side: TermId| {
            let mut own = arguments.clone();
            own[at] = side;
            terms.call(id, &own)
        };
        let (left, right) = (with(self, left)?, with(self, right)?);
        Some(self.if_then_else(condition, left, right))
    }
}

impl Terms {
    /// Declarations of all functions as SMT-LIB writes them, a line each: what is known of them is said by formulas.
    pub fn smtlib_function_declarations(&self) -> String {
        let lines = self.functions.iter().map(|function| {
            let parameters = function.parameters.iter();
            let from: Vec<String> = parameters.map(|one| self.smtlib_sort(self.sort(*one))).collect();
            let (name, to) = (smtlib_symbol(&function.name), self.smtlib_sort(function.sort));
            format!("(declare-fun {name} ({}) {to})\n", from.join(" "))
        });
        lines.collect()
    }

    /// The definitions of all functions, as SMT-LIB writes functions that recur; `None` if there are none. One that is not defined, of which
    /// whatever is said holds for any values, always has the same one.
    pub fn smtlib_functions(&mut self) -> Option<String> {
        for index in 0..self.functions.len() {
            if self.functions[index].body.is_none() {
                let sort = self.functions[index].sort;
                let body = self.value_term(&self.default_value(sort), sort);
                self.define_function(FunctionId::from_index(index), body, Vec::new());
            }
        }
        let (mut heads, mut bodies) = (Vec::new(), Vec::new());
        for function in &self.functions {
            let names = SmtlibNames::new(self, &function.parameters);
            let name_of = |variable: TermId| names.get(variable).to_string();
            let parameters = function.parameters.iter().map(|one| {
                let sort = self.smtlib_sort(self.sort(*one));
                format!("({} {sort})", smtlib_symbol(names.get(*one)))
            });
            let parameters: Vec<String> = parameters.collect();
            let (name, to) = (smtlib_symbol(&function.name), self.smtlib_sort(function.sort));
            heads.push(format!("({name} ({}) {to})", parameters.join(" ")));
            bodies.push(self.smtlib(function.body?, &name_of).to_string());
        }
        let written = format!("(define-funs-rec ({}) ({}))", heads.join(" "), bodies.join(" "));
        (!heads.is_empty()).then_some(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_not_defined_has_some_value_in_models() {
        let mut terms = Terms::new();
        let [defined, open] = ["f!", "g!"].map(|name| terms.declare_function(name, &[SortId::INT], SortId::INT, 0));
        let x = terms.functions()[defined.index()].parameters[0];
        let called = terms.call(open, &[x]).expect("declared");
        terms.define_function(defined, called, Vec::new());
        let text = terms.smtlib_functions().expect("there are functions");
        assert_eq!(
            text,
            "(define-funs-rec ((f! ((x1! Int)) Int) (g! ((x1! Int)) Int)) ((g! x1!) 0))"
        );
    }

    #[test]
    fn no_variable_has_the_name_of_a_function() {
        let mut terms = Terms::new();
        terms.declare_function("p!", &[SortId::INT], SortId::INT, 0);
        let variable = terms.fresh_variable("p", SortId::INT);
        let names = SmtlibNames::new(&terms, &[variable]);
        assert_ne!(names.get(variable), "p!");
    }
}
