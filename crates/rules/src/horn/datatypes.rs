//! Algebraic datatypes in SMT-LIB text: their declarations, constructors, fields, testers and `match`.

use super::declarations::{Declared, groups};
use super::expression::{Expression, Kind};
use super::generics::{Constructed, Selected};
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Global, Reader, Value};
use super::sorts::SortDefinition;
use super::terms::Located;
use crate::diagnostics::Diagnostic;
use crate::terms::{SortId, TermId};

/// More datatypes in one text are refused.
pub(super) const MOST_DATATYPES: usize = 4_000;

const DECLARATION: &str = "like `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))`";

/// The parameters of a datatype, and its constructors.
type Body<'a> = (&'a [Expression<'a>], &'a [Expression<'a>]);

/// One case of a `match`: under which condition it is taken, what its names are bound to, and its term.
pub(super) struct Case<'a> {
    pub condition: TermId,
    pub bound: Vec<(&'a str, TermId)>,
    pub body: Expression<'a>,
}

impl<'a> Reader<'a> {
    /// `(declare-datatypes ((name 0) …) ((constructor …) …))`, and in the older syntax
    /// `(declare-datatypes () ((name constructor …) …))`; with parameters `(declare-datatypes ((name 1) …) ((par (T) (constructor …)) …))`
    /// and `(declare-datatypes (T) ((name constructor …) …))`.
    pub fn declare_datatypes(&mut self, names: Expression<'a>, bodies: Expression<'a>, span: Span) -> Checked<()> {
        let (Some(names), Some(bodies)) = (names.list(), bodies.list()) else {
            return Err(self.problems.error(span, "malformed `declare-datatypes`", DECLARATION));
        };
        let mut declared: Vec<Declared<'a>> = Vec::new();
        // In the older syntax the first list has parameters of all datatypes, in the newer one their names.
        if names.iter().all(|name| name.symbol().is_some()) {
            for body in bodies {
                let Some((name, constructors)) = body.application() else {
                    return Err(self.problems.error(body.span, "malformed datatype", DECLARATION));
                };
                declared.push((name, body.span, names, constructors));
            }
        } else {
            if names.len() != bodies.len() {
                let label = format!("{} names, {} declarations", names.len(), bodies.len());
                return Err(self.problems.error(span, "malformed `declare-datatypes`", label));
            }
            for (name, body) in names.iter().zip(bodies) {
                let Some((symbol, [arity])) = name.application() else {
                    return Err(self.problems.error(name.span, "malformed datatype", DECLARATION));
                };
                let (parameters, constructors) = self.constructor_list(*body)?;
                if !matches!(arity.kind, Kind::Numeral(count) if count == parameters.len().to_string()) {
                    let label = format!("parameters in the declaration: {}", parameters.len());
                    return Err(self.problems.error(arity.span, "wrong number of parameters", label));
                }
                declared.push((symbol, name.span, parameters, constructors));
            }
        }
        self.define_datatypes(&declared, span)
    }

    /// `(declare-datatype name (constructor …))`.
    pub fn declare_datatype(&mut self, name: Expression<'a>, body: Expression<'a>, span: Span) -> Checked<()> {
        let Some(symbol) = name.symbol() else {
            return Err(self.problems.error(name.span, "expected a name", "not a symbol"));
        };
        let (parameters, constructors) = self.constructor_list(body)?;
        self.define_datatypes(&[(symbol, name.span, parameters, constructors)], span)
    }

    /// The parameters of a datatype, and its constructors: `((nil) …)`, `(par (T) ((nil) …))`.
    fn constructor_list(&mut self, body: Expression<'a>) -> Checked<Body<'a>> {
        let lists = match body.application() {
            Some(("par", [parameters, inner])) => (parameters.list(), inner.list()),
            _ => (Some(&[][..]), body.list()),
        };
        match lists {
            (Some(parameters), Some(constructors)) => {
                for parameter in parameters {
                    self.name(*parameter)?;
                }
                Ok((parameters, constructors))
            }
            _ => Err(self
                .problems
                .error(body.span, "expected a list of constructors", DECLARATION)),
        }
    }

    fn define_datatypes(&mut self, declared: &[Declared<'a>], span: Span) -> Checked<()> {
        if self.program.terms.datatypes().len() + declared.len() > MOST_DATATYPES {
            let label = format!("more than {MOST_DATATYPES}");
            return Err(self.problems.unsupported(span, "too many datatypes", label));
        }
        for (position, (name, at, ..)) in declared.iter().enumerate() {
            let twice = declared[..position].iter().any(|(other, ..)| other == name);
            if twice || super::names::THEORY_SYMBOLS.contains(name) || self.sorts.contains_key(name) {
                let message = format!("the datatype `{name}` cannot be declared");
                return Err(self.problems.error(*at, message, "this name has a meaning already"));
            }
        }
        for (name, at, _, constructors) in declared {
            if constructors.is_empty() {
                let message = format!("the datatype `{name}` has no constructor");
                return Err(self.problems.error(*at, message, "it would have no value"));
            }
        }
        if declared.iter().any(|(_, _, parameters, _)| !parameters.is_empty()) {
            for (name, _, parameters, constructors) in declared {
                self.declare_generic(name, parameters, constructors)?;
            }
            return Ok(());
        }
        for group in groups(declared) {
            self.define_group(&group, span)?;
        }
        Ok(())
    }

    /// Datatypes that are made of each other.
    fn define_group(&mut self, declared: &[Declared<'a>], span: Span) -> Checked<()> {
        let names: Vec<&str> = declared.iter().map(|(name, ..)| *name).collect();
        let sorts = self.program.terms.declare_datatypes(&names);
        for (name, sort) in names.iter().zip(&sorts) {
            self.sorts.insert(*name, SortDefinition::Fixed(*sort));
        }
        let group = self.with_instances(sorts, |reader, sorts| {
            for ((_, _, _, constructors), sort) in declared.iter().zip(sorts) {
                for constructor in *constructors {
                    reader.define_constructor(*sort, *constructor)?;
                }
            }
            Ok(())
        })?;
        self.check_group(&group, span)
    }

    fn define_constructor(&mut self, sort: SortId, declaration: Expression<'a>) -> Checked<()> {
        self.charge(8, declaration.span)?;
        let (name, fields) = self.constructor_parts(declaration)?;
        let mut read = Vec::with_capacity(fields.len());
        for field in fields {
            let (name, sort) = self.field_parts(*field)?;
            read.push((name, self.sort(sort)?));
        }
        let made = self.program.terms.add_constructor(sort, name, &read);
        let Some(constructor) = made else { return Err(Reported) };
        self.declare(
            name,
            declaration.span,
            Global::Constructor(Constructed::One(constructor)),
        )?;
        let ids = self.program.terms.constructor(constructor).fields.clone();
        for ((id, (name, _)), field) in ids.into_iter().zip(read).zip(fields) {
            self.declare(name, field.span, Global::Field(Selected::One(id)))?;
        }
        Ok(())
    }

    /// The name of a constructor, and its fields as they are declared.
    pub fn constructor_parts(&mut self, declaration: Expression<'a>) -> Checked<(&'a str, &'a [Expression<'a>])> {
        match (declaration.symbol(), declaration.application()) {
            (Some(name), _) => Ok((name, &[][..])),
            (_, Some(application)) => Ok(application),
            _ => Err(self
                .problems
                .error(declaration.span, "malformed constructor", DECLARATION)),
        }
    }

    /// The name of a field, and its sort as it is declared.
    pub fn field_parts(&mut self, field: Expression<'a>) -> Checked<(&'a str, Expression<'a>)> {
        match field.application() {
            Some((name, [sort])) => Ok((name, *sort)),
            _ => Err(self.problems.error(field.span, "malformed field", DECLARATION)),
        }
    }

    /// Datatypes have to have values, and must not hold themselves inside of arrays.
    pub fn check_group(&mut self, sorts: &[SortId], span: Span) -> Checked<()> {
        let terms = &self.program.terms;
        let group = sorts
            .first()
            .and_then(|first| terms.datatype(*first))
            .map_or(0, |first| first.group);
        if !terms.are_inhabited(group) {
            let label = "every value would have to be infinitely deep";
            return Err(self.problems.error(span, "a datatype without values", label));
        }
        if terms.hold_themselves_in_arrays(sorts) {
            let help = "an array as a field may hold datatypes that are declared before";
            return Err(self
                .problems
                .refuse("datatypes that hold themselves inside of arrays", span, help));
        }
        Ok(())
    }

    /// A constructor applied to terms.
    pub fn apply_constructor(
        &mut self,
        constructed: Constructed,
        arguments: &[Located],
        span: Span,
    ) -> Checked<TermId> {
        let constructor = self.constructor_for(constructed, arguments, span)?;
        let declared = self.program.terms.constructor(constructor).clone();
        self.check_count(
            &format!("`{}`", declared.name),
            arguments.len(),
            declared.fields.len(),
            span,
        )?;
        let mut parts = Vec::with_capacity(arguments.len());
        for (argument, field) in arguments.iter().zip(&declared.fields) {
            let sort = self.program.terms.field(*field).sort;
            parts.push(self.require_sort(*argument, sort)?);
        }
        Ok(self.program.terms.construct(constructor, &parts))
    }

    /// A field of a term.
    pub fn apply_field(&mut self, selected: Selected, arguments: &[Located], span: Span) -> Checked<TermId> {
        self.check_count("a field", arguments.len(), 1, span)?;
        let Some(field) = self.field_in(selected, self.sort_of(arguments[0].0)) else {
            return Err(self.not_of(arguments[0], span));
        };
        let declared = self.program.terms.field(field).clone();
        let sort = self.program.terms.constructed_sort(declared.constructor);
        let whole = self.require_sort(arguments[0], sort)?;
        Ok(self.program.terms.field_of(field, whole))
    }

    /// Whether a term was made by a constructor.
    pub fn apply_tester(&mut self, constructed: Constructed, arguments: &[Located], span: Span) -> Checked<TermId> {
        self.check_count("a tester", arguments.len(), 1, span)?;
        let constructor = match constructed {
            Constructed::One(constructor) => Some(constructor),
            Constructed::Each(..) => self.constructor_of(constructed, self.sort_of(arguments[0].0)),
        };
        let Some(constructor) = constructor else {
            return Err(self.not_of(arguments[0], span));
        };
        let sort = self.program.terms.constructed_sort(constructor);
        let whole = self.require_sort(arguments[0], sort)?;
        Ok(self.program.terms.is_made_by(constructor, whole))
    }

    fn not_of(&mut self, (value, span): Located, function: Span) -> Reported {
        let found = self.program.terms.smtlib_sort(self.sort_of(value));
        let message = format!("a part or question of another datatype than `{found}`");
        let error = Diagnostic::error(span.range(), message, format!("of sort `{found}`"));
        self.problems.report(error.related(function.range(), "asked here"))
    }

    /// The constructor of a name, if it is one.
    pub fn constructor_named(&self, name: &str) -> Option<Constructed> {
        match self.globals.get(name) {
            Some((Global::Constructor(constructor), _)) => Some(*constructor),
            _ => None,
        }
    }

    /// The cases of a `match` on a value: `((nil term) ((cons h t) term) (other term))`.
    pub fn cases(&mut self, (value, span): Located, list: Expression<'a>) -> Checked<Vec<Case<'a>>> {
        let sort = self.sort_of(value);
        let (Value::Term(whole), Some(datatype)) = (value, self.program.terms.datatype(sort).cloned()) else {
            let found = self.program.terms.smtlib_sort(sort);
            let message = format!("expected a term of a datatype, found one of sort {found}");
            return Err(self.problems.error(span, message, "`match` looks at constructors"));
        };
        let mut cases = Vec::new();
        let mut left = datatype.constructors;
        for case in list.list().unwrap_or(&[]) {
            let Some([pattern, body]) = case.list() else {
                return Err(self
                    .problems
                    .error(case.span, "malformed case", "expected `(pattern term)`"));
            };
            let (name, names) = match (pattern.symbol(), pattern.application()) {
                (Some(name), _) => (name, &[][..]),
                (_, Some(application)) => application,
                _ => {
                    return Err(self
                        .problems
                        .error(pattern.span, "malformed pattern", "expected a constructor"));
                }
            };
            let Some(constructed) = self
                .constructor_named(name)
                .filter(|_| self.scope.lookup(name).is_none())
            else {
                if !names.is_empty() {
                    return Err(self.unknown(name, pattern.span));
                }
                // A variable stands for whatever is left.
                left.clear();
                cases.push(Case {
                    condition: TermId::TRUE,
                    bound: vec![(name, whole)],
                    body: *body,
                });
                break;
            };
            let constructor = self.constructor_of(constructed, sort);
            let fields = constructor.map(|id| self.program.terms.constructor(id).fields.clone());
            let fitting = constructor.zip(fields.filter(|fields| fields.len() == names.len()));
            let Some((constructor, fields)) = fitting else {
                let message = format!("the pattern `{name}` does not fit");
                return Err(self
                    .problems
                    .error(pattern.span, message, "of another datatype, or with other fields"));
            };
            let mut bound = Vec::with_capacity(names.len());
            for (field, variable) in fields.into_iter().zip(names) {
                let Some(variable) = variable.symbol() else {
                    return Err(self
                        .problems
                        .error(variable.span, "malformed pattern", "expected a variable"));
                };
                bound.push((variable, self.program.terms.field_of(field, whole)));
            }
            left.retain(|other| *other != constructor);
            cases.push(Case {
                condition: self.program.terms.is_made_by(constructor, whole),
                bound,
                body: *body,
            });
        }
        if let Some(missing) = left.first() {
            let name = self.program.terms.constructor(*missing).name.clone();
            let error = Diagnostic::error(list.span.range(), "a `match` must have all cases", "one is missing");
            return Err(self.problems.report(error.help(format!("add a case for `{name}`"))));
        }
        Ok(cases)
    }
}
