//! From s-expressions to values: `let`, quantifiers, macros and applications, on an explicit stack of tasks.
//!
//! A `let` binds the value of an expression, not its text, so what the text shares stays shared.

use super::expression::{Expression, Kind};
use super::floats::is_float_function;
use super::generics::Constructed;
use super::lexer::Span;
use super::operators::{Application, Theory};
use super::problems::{Checked, Reported};
use super::reader::{Global, Reader, Value};
use super::words::WordFunction;
use crate::diagnostics::Diagnostic;
use crate::rules::Atom;
use crate::terms::{Rational, SortId, TermId};
use num_bigint::BigInt;

/// Numbers with more digits are refused: reading them takes time that grows with the square.
const MOST_DIGITS: usize = 4_000;

/// What is left to do; the values made so far lie on a second stack.
enum Task<'a> {
    /// Make the value of an expression.
    Visit(Expression<'a>),
    /// Apply something to the latest values.
    Apply(Application, usize, Span),
    /// Bind the latest values to the names of a `let`.
    Bind(&'a [Expression<'a>]),
    /// Forget the latest bindings.
    Unbind(usize),
    /// Make the latest value a formula quantified over variables, universally or not.
    Quantify(bool, Vec<TermId>, Span),
    /// Take the latest value apart by the cases of a `match`.
    Match(Expression<'a>, Span),
    /// Bind names to terms.
    Name(Vec<(&'a str, TermId)>),
    /// Leave a macro, whose value must have this sort.
    Return { frame: u32, result: SortId },
}

/// A value and the text it was made of.
pub(super) type Located = (Value, Span);

impl<'a> Reader<'a> {
    /// The value of an expression.
    pub fn value(&mut self, expression: Expression<'a>) -> Checked<Located> {
        let mut tasks = vec![Task::Visit(expression)];
        let mut values: Vec<Located> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(expression) => self.visit(expression, &mut tasks, &mut values)?,
                Task::Apply(application, count, span) => {
                    let arguments = values.split_off(values.len().saturating_sub(count));
                    if let Application::Macro(index) = application {
                        self.call(index, &arguments, span, &mut tasks)?;
                    } else {
                        let value = self.apply(application, &arguments, span)?;
                        values.push((value, span));
                    }
                }
                Task::Bind(bindings) => {
                    let bound = values.split_off(values.len().saturating_sub(bindings.len()));
                    for (binding, (value, _)) in bindings.iter().zip(bound) {
                        if let Some((name, _)) = binding.application() {
                            self.scope.bind(name, value);
                        }
                    }
                }
                Task::Unbind(count) => self.scope.unbind(count),
                Task::Quantify(universal, variables, span) => {
                    if let Some(body) = values.pop() {
                        let body = self.formula(body)?;
                        let quantified = self.formulas.quantified(universal, variables, body, span);
                        values.push((Value::Formula(quantified), span));
                    }
                }
                Task::Match(list, span) => {
                    let Some(value) = values.pop() else {
                        return Err(Reported);
                    };
                    let cases = self.cases(value, list)?;
                    let conditions = cases.iter().map(|case| case.condition).collect();
                    tasks.push(Task::Apply(Application::Cases(conditions), cases.len(), span));
                    for case in cases.into_iter().rev() {
                        tasks.push(Task::Unbind(case.bound.len()));
                        tasks.push(Task::Visit(case.body));
                        tasks.push(Task::Name(case.bound));
                    }
                }
                Task::Name(bound) => {
                    for (name, term) in bound {
                        self.scope.bind(name, Value::Term(term));
                    }
                }
                Task::Return { frame, result } => {
                    self.scope.frame = frame;
                    if let Some(located) = values.pop() {
                        // A Boolean macro may hold predicates, which no term can.
                        let value = match located.0 {
                            Value::Formula(_) if result == SortId::BOOL => located.0,
                            _ => Value::Term(self.require_sort(located, result)?),
                        };
                        values.push((value, located.1));
                    }
                }
            }
        }
        // Every task leaves one value, so there is exactly one now.
        values.pop().ok_or(Reported)
    }

    fn visit(
        &mut self,
        expression: Expression<'a>,
        tasks: &mut Vec<Task<'a>>,
        values: &mut Vec<Located>,
    ) -> Checked<()> {
        let span = expression.span;
        self.charge(1, span)?;
        let term = match expression.kind {
            Kind::Numeral(digits) => {
                let value = self.rational(digits, span)?;
                self.program.terms.number(value, SortId::INT)
            }
            Kind::Decimal(digits) => {
                let value = self.rational(digits, span)?;
                self.program.terms.real(value)
            }
            Kind::BitVector(text) => self.word_literal(text, span)?,
            Kind::String => return Err(self.refuse_function("str.++", span)),
            Kind::Keyword => {
                return Err(self
                    .problems
                    .error(span, "expected a term", "a keyword has no meaning here"));
            }
            Kind::Symbol(name) => return self.visit_symbol(name, span, tasks, values),
            Kind::List(_) => match expression.application() {
                Some(("_", [name, width])) if name.symbol().is_some_and(|name| name.starts_with("bv")) => {
                    let digits = name.symbol().and_then(|name| name.strip_prefix("bv")).unwrap_or("");
                    let width = self.indices(&[*width], span)?;
                    self.numbered_word(digits, width.first().copied().unwrap_or(0), span)?
                }
                Some(("_", [name, indices @ ..])) => {
                    match self.float_constant(name.symbol().unwrap_or(""), indices, span)? {
                        Some(constant) => constant,
                        None => return self.visit_list(expression, tasks),
                    }
                }
                _ => return self.visit_list(expression, tasks),
            },
        };
        values.push((Value::Term(term), span));
        Ok(())
    }

    fn rational(&mut self, digits: &str, span: Span) -> Checked<Rational> {
        if digits.len() > MOST_DIGITS {
            let label = format!("more than {MOST_DIGITS} digits");
            return Err(self.problems.unsupported(span, "number too long", label));
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let scaled: BigInt = format!("{whole}{fraction}").parse().map_err(|_| Reported)?;
        Ok(Rational::new(scaled, BigInt::from(10).pow(fraction.len() as u32)))
    }

    fn visit_symbol(
        &mut self,
        name: &'a str,
        span: Span,
        tasks: &mut Vec<Task<'a>>,
        values: &mut Vec<Located>,
    ) -> Checked<()> {
        let value = match (self.scope.lookup(name), name, self.globals.get(name)) {
            (Some(value), ..) => value,
            (_, "true", _) => Value::Term(TermId::TRUE),
            (_, "false", _) => Value::Term(TermId::FALSE),
            (_, _, Some((Global::Predicate(predicate), _))) => {
                self.apply(Application::Predicate(*predicate), &[], span)?
            }
            (_, _, Some((Global::Variable(variable), _))) => Value::Term(*variable),
            (_, _, Some((Global::Macro(index), _))) => return self.call(*index, &[], span, tasks),
            (_, _, Some((Global::Poisoned, _))) => return Err(Reported),
            (_, _, Some((Global::Constructor(constructor), _))) => {
                Value::Term(self.apply_constructor(*constructor, &[], span)?)
            }
            (_, _, Some((Global::Field(field), _))) => Value::Term(self.apply_field(*field, &[], span)?),
            (_, _, None) if Theory::of(name).is_some() || WordFunction::of(name).is_some() => {
                let label = "written without arguments";
                return Err(self.problems.error(span, format!("`{name}` needs arguments"), label));
            }
            _ => return Err(self.unknown(name, span)),
        };
        values.push((value, span));
        Ok(())
    }

    fn visit_list(&mut self, expression: Expression<'a>, tasks: &mut Vec<Task<'a>>) -> Checked<()> {
        let span = expression.span;
        let Some((name, arguments)) = expression.application() else {
            return self.visit_qualified(expression, tasks);
        };
        if self.scope.lookup(name).is_some() {
            let message = format!("`{name}` is applied but is no function");
            return Err(self
                .problems
                .error(span, message, "bound as a variable, which takes no arguments"));
        }
        match (name, arguments) {
            ("as", [inner, sort]) if self.constructor_in(*inner).is_some() => {
                let constructor = self.constructor_as(*inner, *sort)?;
                tasks.push(Task::Apply(Application::Constructor(constructor), 0, span));
                return Ok(());
            }
            ("match", [value, cases]) => {
                tasks.push(Task::Match(*cases, span));
                tasks.push(Task::Visit(*value));
                return Ok(());
            }
            _ => {}
        }
        let application = match (name, self.globals.get(name).copied()) {
            ("let", _) => return self.visit_let(expression, arguments, tasks),
            ("forall" | "exists", _) => return self.visit_quantifier(name, expression, arguments, tasks),
            ("!", _) => match arguments {
                [annotated, ..] => {
                    tasks.push(Task::Visit(*annotated));
                    return Ok(());
                }
                [] => return Err(self.problems.error(span, "annotation without a term", "nothing inside")),
            },
            ("as" | "_" | "lambda" | "match", _) => return Err(self.refuse_function(name, span)),
            ("+" | "-", _) if !arguments.is_empty() => return self.visit_sum(expression, tasks),
            (_, Some((Global::Predicate(predicate), _))) => Application::Predicate(predicate),
            (_, Some((Global::Macro(index), _))) => Application::Macro(index),
            (_, Some((Global::Poisoned, _))) => return Err(Reported),
            (_, Some((Global::Constructor(constructor), _))) => Application::Constructor(constructor),
            (_, Some((Global::Field(field), _))) => Application::Field(field),
            (_, Some((Global::Variable(_), _))) => {
                let message = format!("`{name}` is applied but is no function");
                return Err(self.problems.error(span, message, "declared as a variable"));
            }
            (_, None) => match (Theory::of(name), WordFunction::of(name), self.tester_named(name)) {
                (Some(function), ..) => Application::Theory(function),
                (_, Some(function), _) => Application::Word(function),
                (.., Some(constructor)) => Application::Tester(constructor),
                (None, None, None) if is_float_function(name) => {
                    let (function, arguments) = self.float_function(name, &[], arguments, span)?;
                    return self.push_application(Application::Float(function), arguments, span, tasks);
                }
                (None, None, None) => {
                    let head = expression.list().and_then(|elements| elements.first());
                    return Err(self.refuse_function(name, head.map_or(span, |head| head.span)));
                }
            },
        };
        self.push_application(application, arguments, span, tasks)
    }

    fn push_application(
        &mut self,
        application: Application,
        arguments: &'a [Expression<'a>],
        span: Span,
        tasks: &mut Vec<Task<'a>>,
    ) -> Checked<()> {
        tasks.push(Task::Apply(application, arguments.len(), span));
        tasks.extend(arguments.iter().rev().map(|argument| Task::Visit(*argument)));
        Ok(())
    }

    /// z3's way to write a tester: `is-cons`.
    fn tester_named(&self, name: &str) -> Option<Constructed> {
        self.constructor_named(name.strip_prefix("is-")?)
    }

    /// The indices of an indexed name.
    pub(super) fn indices(&mut self, indices: &[Expression<'a>], span: Span) -> Checked<Vec<u32>> {
        let mut read = Vec::with_capacity(indices.len());
        for index in indices {
            match index.kind {
                Kind::Numeral(digits) if digits.len() < 10 => read.push(digits.parse().map_err(|_| Reported)?),
                _ => return Err(self.problems.error(span, "malformed index", "expected a small number")),
            }
        }
        Ok(read)
    }

    /// What an indexed or qualified name stands for: `(_ extract 7 0)`, `(_ is cons)`, `(as cons List)`.
    fn qualified(&mut self, head: Expression<'a>) -> Checked<Option<Application>> {
        match head.application() {
            Some(("_", [is, name])) if is.symbol() == Some("is") => {
                // Some write the constructor with its sort, as `(cons (Int List) List)`.
                let name = name.symbol().or_else(|| Some(name.application()?.0)).unwrap_or("");
                match self.constructor_named(name) {
                    Some(constructor) => Ok(Some(Application::Tester(constructor))),
                    None => Err(self.unknown(name, head.span)),
                }
            }
            Some(("_", [name, indices @ ..])) if !indices.is_empty() => {
                let indices = self.indices(indices, head.span)?;
                let name = name.symbol().unwrap_or("");
                match WordFunction::indexed(name, &indices) {
                    None if super::words::INDEXED.contains(&name) => {
                        let message = format!("indices that do not fit `{name}`");
                        Err(self
                            .problems
                            .error(head.span, message, "too many, too few, or in the wrong order"))
                    }
                    function => Ok(function.map(Application::Word)),
                }
            }
            Some(("as", [name, sort])) if self.constructor_in(*name).is_some() => {
                let constructor = self.constructor_as(*name, *sort)?;
                Ok(Some(Application::Constructor(constructor)))
            }
            _ => Ok(None),
        }
    }

    /// An application whose head is no symbol: `((as const Sort) value)`, `((_ extract 7 0) word)`.
    fn visit_qualified(&mut self, expression: Expression<'a>, tasks: &mut Vec<Task<'a>>) -> Checked<()> {
        let span = expression.span;
        let Some((head, arguments)) = expression.list().and_then(|elements| elements.split_first()) else {
            return Err(self.problems.error(span, "empty parentheses", "expected a term"));
        };
        if let (Some(("as", [name, sort])), [value]) = (head.application(), arguments)
            && name.symbol() == Some("const")
        {
            let sort = self.sort(*sort)?;
            tasks.push(Task::Apply(Application::ConstantArray(sort), 1, span));
            tasks.push(Task::Visit(*value));
            return Ok(());
        }
        if let Some(("_", [name, indices @ ..])) = head.application()
            && let Some(name) = name.symbol().filter(|name| is_float_function(name))
        {
            let (function, arguments) = self.float_function(name, indices, arguments, span)?;
            return self.push_application(Application::Float(function), arguments, span, tasks);
        }
        if let Some(application) = self.qualified(*head)? {
            tasks.push(Task::Apply(application, arguments.len(), span));
            tasks.extend(arguments.iter().rev().map(|argument| Task::Visit(*argument)));
            return Ok(());
        }
        match head.application() {
            Some(("_", [function, ..])) => {
                let name = function.symbol().unwrap_or("_");
                Err(self.refuse_function(name, span))
            }
            _ => {
                let error = Diagnostic::error(head.span.range(), "expected the name of a function", "not a name");
                Err(self.problems.report(
                    error.help(
                        "a term is `(function argument …)`; a constant array is `((as const (Array Int Int)) 0)`",
                    ),
                ))
            }
        }
    }

    /// `let` evaluates all its values before it binds the first.
    fn visit_let(
        &mut self,
        expression: Expression<'a>,
        arguments: &'a [Expression<'a>],
        tasks: &mut Vec<Task<'a>>,
    ) -> Checked<()> {
        let (Some(bindings), [_, body]) = (arguments.first().and_then(|list| list.list()), arguments) else {
            return Err(self.problems.error(
                expression.span,
                "malformed `let`",
                "expected `(let ((name term) …) body)`",
            ));
        };
        let mut names = hashbrown::HashSet::new();
        for binding in bindings {
            let Some((name, [_])) = binding.application() else {
                return Err(self
                    .problems
                    .error(binding.span, "malformed binding", "expected `(name term)`"));
            };
            if !names.insert(name) {
                let message = format!("`{name}` is bound twice");
                return Err(self
                    .problems
                    .error(binding.span, message, "bound again in the same `let`"));
            }
        }
        tasks.push(Task::Unbind(bindings.len()));
        tasks.push(Task::Visit(*body));
        tasks.push(Task::Bind(bindings));
        for binding in bindings.iter().rev() {
            if let Some((_, [value])) = binding.application() {
                tasks.push(Task::Visit(*value));
            }
        }
        Ok(())
    }

    /// Quantified variables become fresh variables of the rules; whether that is right depends on the polarity, which the
    /// making of clauses checks.
    fn visit_quantifier(
        &mut self,
        name: &str,
        expression: Expression<'a>,
        arguments: &'a [Expression<'a>],
        tasks: &mut Vec<Task<'a>>,
    ) -> Checked<()> {
        let [variables, body] = arguments else {
            let message = format!("malformed `{name}`");
            let label = format!("expected `({name} ((X Int) …) formula)`");
            return Err(self.problems.error(expression.span, message, label));
        };
        let variables = self.sorted_variables(*variables)?;
        let mut bound = Vec::with_capacity(variables.len());
        for (name, sort) in &variables {
            let variable = self.program.terms.fresh_variable(name, *sort);
            self.scope.bind(name, Value::Term(variable));
            bound.push(variable);
        }
        tasks.push(Task::Unbind(bound.len()));
        tasks.push(Task::Quantify(name == "forall", bound, expression.span));
        tasks.push(Task::Visit(*body));
        Ok(())
    }

    /// Nested sums and differences are taken apart first: adding level by level would cost the square of their size.
    fn visit_sum(&mut self, expression: Expression<'a>, tasks: &mut Vec<Task<'a>>) -> Checked<()> {
        let (mut parts, mut stack) = (Vec::new(), vec![(expression, false)]);
        while let Some((part, negative)) = stack.pop() {
            match part.application() {
                Some(("+", addends)) if !addends.is_empty() && self.scope.lookup("+").is_none() => {
                    stack.extend(addends.iter().rev().map(|addend| (*addend, negative)));
                }
                Some(("-", [single])) if self.scope.lookup("-").is_none() => stack.push((*single, !negative)),
                Some(("-", [first, rest @ ..])) if self.scope.lookup("-").is_none() => {
                    stack.extend(rest.iter().rev().map(|addend| (*addend, !negative)));
                    stack.push((*first, negative));
                }
                _ => parts.push((part, negative)),
            }
        }
        let signs = parts.iter().map(|(_, negative)| *negative).collect();
        tasks.push(Task::Apply(Application::Sum(signs), parts.len(), expression.span));
        tasks.extend(parts.iter().rev().map(|(part, _)| Task::Visit(*part)));
        Ok(())
    }

    fn call(&mut self, index: usize, arguments: &[Located], span: Span, tasks: &mut Vec<Task<'a>>) -> Checked<()> {
        let Some(called) = self.macros.get(index).copied() else {
            return Err(Reported);
        };
        let name = format!("`{}`", called.name);
        self.check_count(&name, arguments.len(), called.parameters.len(), span)?;
        let mut bound = Vec::with_capacity(arguments.len());
        for (parameter, argument) in called.parameters.iter().zip(arguments) {
            let (name, sort) = self.sorted_variable(*parameter)?;
            let value = match argument.0 {
                Value::Formula(_) if sort == SortId::BOOL => argument.0,
                _ => Value::Term(self.require_sort(*argument, sort)?),
            };
            bound.push((name, value));
        }
        tasks.push(Task::Return {
            frame: self.scope.enter(),
            result: called.result,
        });
        tasks.push(Task::Unbind(bound.len()));
        tasks.push(Task::Visit(called.body));
        for (name, value) in bound {
            self.scope.bind(name, value);
        }
        Ok(())
    }

    /// An application of a predicate to terms.
    pub fn atom(&mut self, predicate: crate::rules::PredicateId, arguments: &[Located], span: Span) -> Checked<Value> {
        let parameters = self.program.predicate(predicate).parameters.clone();
        let label = format!("`{}`", self.program.predicate(predicate).name);
        self.check_count(&label, arguments.len(), parameters.len(), span)?;
        let mut terms = Vec::with_capacity(arguments.len());
        for (argument, parameter) in arguments.iter().zip(parameters) {
            let sort = self.program.terms.sort(parameter);
            terms.push(self.require_sort(*argument, sort)?);
        }
        let atom = Atom {
            predicate,
            arguments: terms,
        };
        Ok(Value::Formula(self.formulas.apply(atom, span)))
    }
}
