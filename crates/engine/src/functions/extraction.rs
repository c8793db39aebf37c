//! Functions by the implications for a relation: one of its arguments as a function of the others, or whether it holds of all.
//!
//! In each implication what is known begins with the arguments that are given; patterns, equations and the functions that were found before
//! say what the other variables are. What decides between implications becomes the condition of a case. Nothing here has to be right: whether
//! a relation is within the function that was made of it is proved afterwards.

use crate::relations::{Clause, NodeId, System};
use crate::terms::{FunctionId, Measure, Operator, Rational, SortId, Substitution, TermId, Terms};

/// How a relation is understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// An argument is a function of the others.
    Output(usize, FunctionId),
    /// Whether it holds is a function of its arguments.
    Holds(FunctionId),
    /// It holds of two different terms only.
    Different,
}

/// What a function has to be made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Output(usize),
    Holds,
    Different,
}

/// Declares the function that is wanted of a relation.
pub(super) fn declared(terms: &mut Terms, name: &str, parameters: &[TermId], wanted: Wanted, group: u32) -> Mode {
    let sorts = |terms: &Terms, left_out: Option<usize>| -> Vec<SortId> {
        let all = parameters.iter().enumerate();
        let given = all.filter(|(position, _)| Some(*position) != left_out);
        given.map(|(_, parameter)| terms.sort(*parameter)).collect()
    };
    match wanted {
        Wanted::Output(position) => {
            let (given, sort) = (sorts(terms, Some(position)), terms.sort(parameters[position]));
            let name = format!("{name}!{}", position + 1);
            Mode::Output(position, terms.declare_function(&name, &given, sort, group))
        }
        Wanted::Holds => {
            let given = sorts(terms, None);
            Mode::Holds(terms.declare_function(&format!("{name}!"), &given, SortId::BOOL, group))
        }
        Wanted::Different => Mode::Different,
    }
}

/// A case: its conditions and, if there is one, the value.
pub(super) struct Case {
    pub conditions: Vec<TermId>,
    pub value: Option<TermId>,
}

/// The cases of a relation's function, by its implications; `None` if one of them cannot be understood.
pub(super) fn cases(terms: &mut Terms, system: &System, node: usize, modes: &[Option<Mode>]) -> Option<Vec<Case>> {
    let (output, function) = match modes[node]? {
        Mode::Output(output, function) => (Some(output), function),
        Mode::Holds(function) => (None, function),
        Mode::Different => return None,
    };
    let parameters = terms.functions().get(function.index())?.parameters.clone();
    let mut cases = Vec::new();
    for clause in &system.nodes[node].clauses {
        let clause = &system.clauses[*clause];
        cases.push(case(terms, clause, output, &parameters, modes)?);
    }
    Some(cases)
}

fn case(
    terms: &mut Terms,
    clause: &Clause,
    output: Option<usize>,
    parameters: &[TermId],
    modes: &[Option<Mode>],
) -> Option<Case> {
    let mut reading = Reading {
        terms,
        known: Vec::new(),
        conditions: Vec::new(),
        open: Vec::new(),
    };
    let arguments = &clause.conclusion.arguments;
    let given = arguments
        .iter()
        .enumerate()
        .filter(|(position, _)| Some(*position) != output);
    for ((_, argument), parameter) in given.zip(parameters) {
        reading.bind(*argument, *parameter);
    }
    let mut waiting: Vec<(NodeId, Vec<TermId>)> = clause
        .premises
        .iter()
        .map(|premise| (premise.node, premise.arguments.clone()))
        .collect();
    let mut constraints: Vec<TermId> = clause.constraint.clone();
    loop {
        let before = (waiting.len(), constraints.len(), reading.open.len());
        let mut rest = Vec::new();
        for (node, arguments) in waiting {
            if !reading.call(modes[node.0]?, &arguments) {
                rest.push((node, arguments));
            }
        }
        waiting = rest;
        let mut rest = Vec::new();
        for formula in constraints {
            if !reading.constrain(formula) {
                rest.push(formula);
            }
        }
        constraints = rest;
        let open = std::mem::take(&mut reading.open);
        for (pattern, value) in open {
            reading.bind(pattern, value);
        }
        let after = (waiting.len(), constraints.len(), reading.open.len());
        if after == (0, 0, 0) {
            break;
        }
        if after == before {
            return None;
        }
    }
    let value = match output {
        Some(output) => Some(reading.value(arguments[output])?),
        None => None,
    };
    Some(Case {
        conditions: reading.conditions,
        value,
    })
}

/// An implication that is being understood.
struct Reading<'a> {
    terms: &'a mut Terms,
    /// What variables are, over the parameters.
    known: Vec<(TermId, TermId)>,
    conditions: Vec<TermId>,
    /// Patterns that have values, of which too little is known yet.
    open: Vec<(TermId, TermId)>,
}

impl Reading<'_> {
    fn is_known(&self, term: TermId) -> bool {
        let variables = self.terms.variables(term);
        variables
            .iter()
            .all(|variable| self.known.iter().any(|(known, _)| known == variable))
    }

    /// A term over the parameters, if all of it is known.
    fn value(&mut self, term: TermId) -> Option<TermId> {
        if !self.is_known(term) {
            return None;
        }
        let mut substitution = Substitution::new();
        for (variable, value) in &self.known {
            substitution.insert(self.terms, *variable, *value);
        }
        Some(self.terms.substitute(term, &substitution))
    }

    /// Takes it that a pattern is a value.
    fn bind(&mut self, pattern: TermId, value: TermId) {
        let mut stack = vec![(pattern, value)];
        while let Some((pattern, value)) = stack.pop() {
            if let Some(own) = self.value(pattern) {
                let same = self.terms.equal(own, value);
                self.condition(same);
            } else if self.terms.is_variable(pattern) {
                self.known.push((pattern, value));
            } else if let Operator::Construct(constructor) = self.terms.operator(pattern) {
                let made = self.terms.is_made_by(constructor, value);
                self.condition(made);
                let fields = self.terms.constructor(constructor).fields.clone();
                let parts = self.terms.arguments(pattern).to_vec();
                for (field, part) in fields.into_iter().zip(parts).rev() {
                    let value = self.terms.field_of(field, value);
                    stack.push((part, value));
                }
            } else if !self.solve(pattern, value) {
                self.open.push((pattern, value));
            }
        }
    }

    fn condition(&mut self, formula: TermId) {
        if formula != TermId::TRUE && !self.conditions.contains(&formula) {
            self.conditions.push(formula);
        }
    }

    /// A sum with one unknown variable is a value: then that variable is known.
    fn solve(&mut self, sum: TermId, value: TermId) -> bool {
        let sort = self.terms.sort(sum);
        if sort != SortId::INT {
            return false;
        }
        let form = self.terms.linear_form(sum);
        let unknown: Vec<(TermId, Rational)> = form
            .terms
            .iter()
            .filter(|(part, _)| !self.is_known(*part))
            .cloned()
            .collect();
        let [(variable, factor)] = &unknown[..] else {
            return false;
        };
        let one = Rational::from(1);
        if !self.terms.is_variable(*variable) || factor * factor != one {
            return false;
        }
        let own = self.terms.linear_form(*variable);
        let rest = form.add_scaled(&own, &-factor);
        let rest = self.terms.linear_term(&rest, sort);
        let Some(rest) = self.value(rest) else {
            return false;
        };
        let left = self.terms.linear_form(value);
        let rest = self.terms.linear_form(rest);
        let solved = left.add_scaled(&rest, &-one).scaled(factor);
        let solved = self.terms.linear_term(&solved, sort);
        self.known.push((*variable, solved));
        true
    }

    /// Takes a constraint into account, if enough is known for that.
    fn constrain(&mut self, formula: TermId) -> bool {
        if let Some(own) = self.value(formula) {
            self.condition(own);
            return true;
        }
        let (operator, arguments) = (self.terms.operator(formula), self.terms.arguments(formula).to_vec());
        match (operator, &arguments[..]) {
            (Operator::And, parts) => {
                let mut open = Vec::new();
                for part in parts {
                    if !self.constrain(*part) {
                        open.push(*part);
                    }
                }
                // What is open of it is an equation that waits.
                let whole: Option<Vec<(TermId, TermId)>> = open.iter().map(|part| self.sides(*part)).collect();
                whole.map(|more| self.open.extend(more)).is_some()
            }
            (Operator::Equal, &[left, right]) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(value) = self.value(one) {
                        self.bind(other, value);
                        return true;
                    }
                }
                false
            }
            (Operator::Variable(_), _) => {
                self.known.push((formula, TermId::TRUE));
                true
            }
            (Operator::Not, &[inner]) if self.terms.is_variable(inner) => {
                self.known.push((inner, TermId::FALSE));
                true
            }
            _ => false,
        }
    }

    fn sides(&self, formula: TermId) -> Option<(TermId, TermId)> {
        match (self.terms.operator(formula), self.terms.arguments(formula)) {
            (Operator::Equal, &[left, right]) if self.is_known(right) => Some((left, right)),
            _ => None,
        }
    }

    /// Takes a premise into account, if what is given is known.
    fn call(&mut self, mode: Mode, arguments: &[TermId]) -> bool {
        let output = match mode {
            Mode::Output(output, _) => Some(output),
            _ => None,
        };
        let given = arguments
            .iter()
            .enumerate()
            .filter(|(position, _)| Some(*position) != output);
        let given: Vec<TermId> = given.map(|(_, argument)| *argument).collect();
        let mut values = Vec::with_capacity(given.len());
        for argument in given {
            match self.value(argument) {
                Some(value) => values.push(value),
                None => return false,
            }
        }
        match mode {
            Mode::Output(output, function) => {
                let Some(value) = self.terms.call(function, &values) else {
                    return false;
                };
                self.bind(arguments[output], value);
            }
            Mode::Holds(function) => {
                let Some(holds) = self.terms.call(function, &values) else {
                    return false;
                };
                self.condition(holds);
            }
            Mode::Different => {
                let different = self.terms.not_equal(values[0], values[1]);
                self.condition(different);
            }
        }
        true
    }
}

/// The body that has these cases, those first that do not recur; `default` is for what none of them is about.
pub(super) fn body(terms: &mut Terms, cases: &[Case], is_exhaustive: bool, group: u32) -> Option<TermId> {
    let recurs = |terms: &Terms, case: &Case| {
        let mut all = case.conditions.clone();
        all.extend(case.value);
        let calls = terms.applications(&all);
        calls.iter().any(|call| match terms.operator(*call) {
            Operator::Apply(id) => terms.functions()[id.index()].group == group,
            _ => false,
        })
    };
    let mut order: Vec<&Case> = cases.iter().collect();
    order.sort_by_key(|case| recurs(terms, case));
    let values: Option<Vec<TermId>> = order.iter().map(|case| case.value).collect();
    let conditions: Vec<TermId> = order.iter().map(|case| terms.and(&case.conditions)).collect();
    let Some(values) = values.filter(|values| !values.is_empty()) else {
        return Some(terms.or(&conditions));
    };
    // Where nothing is said, it is what is simplest.
    let mut body = match is_exhaustive {
        true => *values.last()?,
        false => *values.first()?,
    };
    for (position, (condition, value)) in conditions.iter().zip(&values).enumerate().rev() {
        if !is_exhaustive || position + 1 < values.len() {
            body = terms.if_then_else(*condition, *value, body);
        }
    }
    Some(body)
}

/// What may get smaller in each call: a parameter, the sum of two, or one of two, the first more slowly.
pub(super) fn ranks(terms: &mut Terms, parameters: &[TermId]) -> Vec<Vec<TermId>> {
    let mut single = Vec::new();
    for parameter in parameters {
        let sort = terms.sort(*parameter);
        if sort == SortId::INT {
            single.push(*parameter);
        } else if terms.datatype(sort).is_some() && terms.is_recursive(sort) {
            single.push(terms.measure_of(Measure::Size, *parameter));
        }
    }
    // What is made of terms before numbers.
    single.sort_by_key(|rank| terms.is_variable(*rank));
    let mut all: Vec<Vec<TermId>> = single.iter().map(|rank| vec![*rank]).collect();
    for (position, one) in single.iter().enumerate() {
        for other in &single[position + 1..] {
            all.push(vec![terms.add(*one, *other)]);
        }
    }
    for one in &single {
        let others = single.iter().filter(|other| *other != one);
        all.extend(others.map(|other| vec![*one, *other]));
    }
    all
}

/// Cases that recur only where an integer parameter stays from being negative.
pub(super) fn guarded(terms: &mut Terms, cases: &[Case], function: FunctionId, parameter: TermId) -> Vec<Case> {
    let parameters = terms.functions()[function.index()].parameters.clone();
    let position = parameters.iter().position(|one| *one == parameter);
    let mut guarded = Vec::new();
    for case in cases {
        let mut conditions = case.conditions.clone();
        let mut all = conditions.clone();
        all.extend(case.value);
        for call in terms.applications(&all) {
            if terms.operator(call) == Operator::Apply(function)
                && let Some(argument) = position.and_then(|position| terms.arguments(call).get(position).copied())
            {
                let zero = terms.integer(0);
                conditions.push(terms.less_or_equal(zero, argument));
            }
        }
        guarded.push(Case {
            conditions,
            value: case.value,
        });
    }
    guarded
}
