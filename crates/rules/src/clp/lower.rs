//! From transitions with sorts to rules: predicates, variables and terms are made. Nothing can go wrong here any more; the
//! checks before have seen to it.

use super::clauses::Transition;
use super::ground::GroundSorts;
use super::inference::Inferred;
use super::signatures::{Signature, Signatures};
use super::sorts::Node;
use super::syntax::{Atom, Expression, Factor, Function, Kind, Relation, Sign, Span};
use super::types::{Meaning, Types};
use crate::diagnostics::Diagnostic;
use crate::rules::{self, Location, PredicateId, Program, Rule};
use crate::terms::{LinearForm, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Makes a program of transitions that are free of mistakes. `None` if there are sorts that cannot be declared, which is reported.
pub(super) fn lower<'a>(
    source: &'a str,
    transitions: &[Transition<'a>],
    signatures: &Signatures<'a>,
    types: &Types<'a>,
    mut inferred: Inferred<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Program> {
    let mut program = Program::new();
    let mut sorts = GroundSorts::declare(&mut inferred, types, &mut program.terms, diagnostics)?;
    let predicates = (0..signatures.list.len())
        .map(|position| {
            add_predicate(
                &mut program,
                &signatures.list[position],
                position,
                &mut inferred,
                &mut sorts,
            )
        })
        .collect();
    let mut lowering = Lowering {
        program,
        signatures,
        types,
        predicates,
        inferred,
        sorts,
        variables: HashMap::new(),
        anonymous: 0,
        lines: Lines::new(source),
    };
    for (position, transition) in transitions.iter().enumerate() {
        lowering.transition(position, transition);
    }
    Some(lowering.program)
}

/// Adds the predicate of a signature. Its parameters are called as in its first head, where that has a name for them.
fn add_predicate(
    program: &mut Program,
    signature: &Signature<'_>,
    position: usize,
    inferred: &mut Inferred<'_>,
    sorts: &mut GroundSorts,
) -> PredicateId {
    let head = signature.first_head.unwrap_or_default();
    let nodes = inferred.parameters.get(position).cloned().unwrap_or_default();
    let mut taken: HashSet<String> = HashSet::new();
    let mut names: Vec<Option<String>> = Vec::with_capacity(nodes.len());
    for index in 0..nodes.len() {
        let name = match head.get(index).map(|argument| argument.kind) {
            Some(Kind::Variable(name)) if !name.starts_with('_') => Some(name.to_string()),
            _ => None,
        };
        names.push(name.filter(|name| taken.insert(name.clone())));
    }
    let mut parameters = Vec::with_capacity(nodes.len());
    for (index, (node, name)) in nodes.into_iter().zip(names).enumerate() {
        let name = name.unwrap_or_else(|| fallback_name(index, &mut taken));
        parameters.push((name, sorts.sort(node, inferred)));
    }
    let parameters: Vec<(&str, SortId)> = parameters.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
    program.add_predicate(signature.name, signature.point.as_deref(), &parameters)
}

/// A letter for the parameter at this position, with a number if the letter is taken.
fn fallback_name(index: usize, taken: &mut HashSet<String>) -> String {
    let letter = char::from(b'A' + (index % 26) as u8);
    let mut number = index / 26;
    loop {
        let name = if number == 0 {
            letter.to_string()
        } else {
            format!("{letter}{number}")
        };
        if taken.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}

struct Lowering<'l, 'a> {
    program: Program,
    signatures: &'l Signatures<'a>,
    types: &'l Types<'a>,
    predicates: Vec<PredicateId>,
    inferred: Inferred<'a>,
    sorts: GroundSorts,
    /// The variables of the current transition.
    variables: HashMap<&'a str, TermId>,
    /// How many anonymous variables the current transition has had.
    anonymous: usize,
    lines: Lines<'a>,
}

impl<'a> Lowering<'_, 'a> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.program.terms
    }

    fn transition(&mut self, position: usize, transition: &Transition<'a>) {
        self.variables.clear();
        self.anonymous = 0;
        let variables = self.inferred.variables.get(position).cloned().unwrap_or_default();
        for (name, node) in variables {
            let sort = self.resolve(node);
            let variable = self.terms().fresh_variable(name, sort);
            self.variables.insert(name, variable);
        }
        let head = transition.head.as_ref().map(|head| self.atom(head));
        let mut constraint = Vec::new();
        for part in &transition.constraints {
            let formula = self.term(part);
            constraint.extend(self.program.terms.conjuncts(formula));
        }
        let body = transition.goals.iter().map(|goal| self.atom(goal)).collect();
        let location = Some(self.lines.locate(transition.place));
        self.program.add_rule(Rule {
            head: head.unwrap_or(rules::Atom {
                predicate: PredicateId::QUERY,
                arguments: Vec::new(),
            }),
            constraint,
            body,
            location,
        });
    }

    fn resolve(&mut self, node: Node) -> SortId {
        self.sorts.sort(node, &mut self.inferred)
    }

    fn atom(&mut self, atom: &Atom<'a>) -> rules::Atom {
        let found = self.signatures.resolve(atom);
        let predicate = found
            .and_then(|found| found.signature)
            .and_then(|position| self.predicates.get(position));
        let predicate = predicate.copied().unwrap_or(PredicateId::ERROR);
        let arguments = found.map_or(&[][..], |found| found.arguments);
        rules::Atom {
            predicate,
            arguments: arguments.iter().map(|argument| self.term(argument)).collect(),
        }
    }

    /// The sort of a literal, an anonymous variable, a list or a constant array.
    fn literal_sort(&mut self, expression: &Expression<'a>) -> SortId {
        match self.inferred.literal(expression) {
            Some(node) => self.resolve(node),
            None => SortId::INT,
        }
    }

    fn all(&mut self, parts: &[Expression<'a>]) -> Vec<TermId> {
        parts.iter().map(|part| self.term(part)).collect()
    }

    /// The term of an expression. The recursion is as deep as the expression, which the parser has limited.
    fn term(&mut self, expression: &Expression<'a>) -> TermId {
        match expression.kind {
            Kind::Variable(name) => match self.variables.get(name) {
                Some(variable) => *variable,
                None => TermId::TRUE,
            },
            Kind::Anonymous => {
                let sort = self.literal_sort(expression);
                let name = self.anonymous_name();
                self.terms().fresh_variable(&name, sort)
            }
            Kind::Integer(digits) => {
                let sort = self.literal_sort(expression);
                self.terms().number(Rational::from_integer(integer(digits)), sort)
            }
            Kind::Real(digits) => self.terms().real(decimal(digits)),
            Kind::Truth(value) => self.terms().boolean(value),
            Kind::Negative(part) => {
                let part = self.term(part);
                self.terms().negate(part)
            }
            Kind::Sum(parts) => self.sum(parts),
            Kind::Product(first, rest) => self.product(first, rest),
            Kind::Element(array, indices) => {
                let mut element = self.term(array);
                for index in indices {
                    let index = self.term(index);
                    element = self.terms().select(element, index);
                }
                element
            }
            Kind::Apply(function, arguments) => self.application(expression, function, arguments),
            Kind::Ascription(part, _) => self.term(part),
            Kind::Comparison(relation, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                let terms = self.terms();
                match relation {
                    Relation::Equal => terms.equal(left, right),
                    Relation::NotEqual => terms.not_equal(left, right),
                    Relation::Less => terms.less(left, right),
                    Relation::LessOrEqual => terms.less_or_equal(left, right),
                    Relation::Greater => terms.less(right, left),
                    Relation::GreaterOrEqual => terms.less_or_equal(right, left),
                }
            }
            Kind::Not(part) => {
                let part = self.term(part);
                self.terms().not(part)
            }
            Kind::All(parts) => {
                let parts = self.all(parts);
                self.terms().and(&parts)
            }
            Kind::Any(parts) => {
                let parts = self.all(parts);
                self.terms().or(&parts)
            }
            Kind::List(elements, tail) => self.list(expression, elements, tail),
            Kind::Atom(atom) => self.constructed(&atom),
        }
    }

    /// A list, from its end.
    fn list(&mut self, whole: &Expression<'a>, elements: &[Expression<'a>], tail: Option<&Expression<'a>>) -> TermId {
        let sort = self.literal_sort(whole);
        let Some([nil, cons]) = self.program.terms.list_constructors(sort) else {
            return TermId::TRUE;
        };
        let elements = self.all(elements);
        let mut list = match tail {
            Some(tail) => self.term(tail),
            None => self.terms().construct(nil, &[]),
        };
        for element in elements.into_iter().rev() {
            list = self.terms().construct(cons, &[element, list]);
        }
        list
    }

    /// A name applied to terms; inference has seen to it that it means something.
    fn constructed(&mut self, atom: &Atom<'a>) -> TermId {
        let arguments = self.all(atom.arguments);
        let meaning = self.types.meaning(atom);
        match (meaning, &arguments[..]) {
            (Meaning::Constructor(index), parts) => match self.sorts.constructor(index) {
                Some(constructor) => self.terms().construct(constructor, parts),
                None => TermId::TRUE,
            },
            (Meaning::Undeclared, parts) => match self.sorts.undeclared(atom.name.text) {
                Some(constructor) => self.terms().construct(constructor, parts),
                None => TermId::TRUE,
            },
            (Meaning::Field(index, position), [whole]) => {
                let constructor = self.sorts.constructor(index);
                let fields = constructor.map(|id| &self.program.terms.constructor(id).fields);
                match fields.and_then(|fields| fields.get(position).copied()) {
                    Some(field) => self.terms().field_of(field, *whole),
                    None => TermId::TRUE,
                }
            }
            (Meaning::IsMadeBy(index), [whole]) => match self.sorts.constructor(index) {
                Some(constructor) => self.terms().is_made_by(constructor, *whole),
                None => TermId::TRUE,
            },
            (Meaning::Head | Meaning::Tail, [whole]) => {
                let sort = self.program.terms.sort(*whole);
                let constructors = self.program.terms.list_constructors(sort);
                let fields = constructors.map(|[_, cons]| &self.program.terms.constructor(cons).fields);
                match fields.and_then(|fields| fields.get(usize::from(meaning == Meaning::Tail)).copied()) {
                    Some(field) => self.terms().field_of(field, *whole),
                    None => TermId::TRUE,
                }
            }
            _ => TermId::TRUE,
        }
    }

    /// A name for an anonymous variable that no other variable of the transition has.
    fn anonymous_name(&mut self) -> String {
        loop {
            self.anonymous += 1;
            let name = format!("_{}", self.anonymous);
            if !self.variables.contains_key(name.as_str()) {
                return name;
            }
        }
    }

    /// A sum of any length, gathered at once: adding one part after the other would cost the square of their number.
    fn sum(&mut self, parts: &[(Sign, Expression<'a>)]) -> TermId {
        let mut sort = SortId::INT;
        let mut gathered: Vec<(TermId, Rational)> = Vec::with_capacity(parts.len());
        let mut constant = Rational::zero();
        for (sign, part) in parts {
            let term = self.term(part);
            sort = self.program.terms.sort(term);
            let form = self.program.terms.linear_form(term);
            let factor = match sign {
                Sign::Plus => Rational::one(),
                Sign::Minus => -Rational::one(),
            };
            constant += form.constant * &factor;
            gathered.extend(
                form.terms
                    .into_iter()
                    .map(|(term, coefficient)| (term, coefficient * &factor)),
            );
        }
        gathered.sort_by_key(|(term, _)| *term);
        let mut terms: Vec<(TermId, Rational)> = Vec::with_capacity(gathered.len());
        for (term, coefficient) in gathered {
            match terms.last_mut() {
                Some((last, total)) if *last == term => *total += coefficient,
                _ => terms.push((term, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        self.terms().linear_term(&LinearForm { terms, constant }, sort)
    }

    /// A chain of `*`, `/`, `div` and `mod`, from the left; a run of `*` is multiplied pairwise, for the same reason.
    fn product(&mut self, first: &Expression<'a>, rest: &[(Factor, Expression<'a>)]) -> TermId {
        let mut run = vec![self.term(first)];
        for (factor, part) in rest {
            let right = self.term(part);
            if *factor == Factor::Times {
                run.push(right);
                continue;
            }
            let left = self.multiply_all(run);
            let terms = self.terms();
            run = vec![match factor {
                Factor::Divide => terms.divide(left, right),
                Factor::IntegerDivide => terms.integer_divide(left, right),
                _ => terms.modulo(left, right),
            }];
        }
        self.multiply_all(run)
    }

    fn multiply_all(&mut self, mut factors: Vec<TermId>) -> TermId {
        while factors.len() > 1 {
            factors = factors
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => self.program.terms.multiply(left, right),
                    _ => pair[0],
                })
                .collect();
        }
        factors.pop().unwrap_or(TermId::TRUE)
    }

    fn application(&mut self, expression: &Expression<'a>, function: Function, arguments: &[Expression<'a>]) -> TermId {
        let arguments = self.all(arguments);
        let array_sort = match function {
            Function::Constant => self.literal_sort(expression),
            _ => SortId::INT,
        };
        let terms = self.terms();
        match (function, &arguments[..]) {
            (Function::Minimum, [a, b]) => terms.minimum(*a, *b),
            (Function::Maximum, [a, b]) => terms.maximum(*a, *b),
            (Function::Absolute, [a]) => terms.absolute(*a),
            (Function::IfThenElse, [c, a, b]) => terms.if_then_else(*c, *a, *b),
            (Function::Real, [a]) => terms.to_real(*a),
            (Function::Floor, [a]) => terms.to_integer(*a),
            (Function::Select, [a, i]) => terms.select(*a, *i),
            (Function::Store, [a, i, v]) => terms.store(*a, *i, *v),
            (Function::Constant, [v]) => terms.constant_array(array_sort, *v),
            // The parser has counted the arguments.
            _ => TermId::TRUE,
        }
    }
}

/// The value of a literal; the lexer lets only digits through.
fn integer(digits: &str) -> BigInt {
    digits.parse().unwrap_or_else(|_| BigInt::zero())
}

fn decimal(digits: &str) -> Rational {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let denominator = BigInt::from(10).pow(fraction.len() as u32);
    Rational::new(integer(&format!("{whole}{fraction}")), denominator)
}

/// Lines and columns of places that are asked for in the order of the text.
struct Lines<'a> {
    source: &'a str,
    position: usize,
    location: Location,
}

impl<'a> Lines<'a> {
    fn new(source: &'a str) -> Lines<'a> {
        Lines {
            source,
            position: 0,
            location: Location { line: 1, column: 1 },
        }
    }

    fn locate(&mut self, place: Span) -> Location {
        let between = self.source.get(self.position..place.start).unwrap_or_default();
        for character in between.chars() {
            if character == '\n' {
                self.location.line = self.location.line.saturating_add(1);
                self.location.column = 1;
            } else {
                self.location.column = self.location.column.saturating_add(1);
            }
        }
        self.position = place.start.max(self.position);
        self.location
    }
}

#[cfg(test)]
mod tests;
