//! Algebraic datatypes in SMT-LIB text: their declarations, constructors, fields, testers and `match`.

use super::expression::{Expression, Kind};
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Global, Reader, Value};
use super::sorts::SortDefinition;
use super::terms::Located;
use crate::diagnostics::Diagnostic;
use crate::terms::{ConstructorId, FieldId, SortId, TermId};

/// More datatypes in one text are refused.
const MOST_DATATYPES: usize = 4_000;

const DECLARATION: &str = "like `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))`";

/// A datatype as it is declared: its name, and its constructors.
type Declared<'a> = (&'a str, Span, &'a [Expression<'a>]);

/// One case of a `match`: under which condition it is taken, what its names are bound to, and its term.
pub(super) struct Case<'a> {
    pub condition: TermId,
    pub bound: Vec<(&'a str, TermId)>,
    pub body: Expression<'a>,
}

impl<'a> Reader<'a> {
    /// `(declare-datatypes ((name 0) …) ((constructor …) …))`, and in the older syntax
    /// `(declare-datatypes () ((name constructor …) …))`.
    pub fn declare_datatypes(&mut self, names: Expression<'a>, bodies: Expression<'a>, span: Span) -> Checked<()> {
        let (Some(names), Some(bodies)) = (names.list(), bodies.list()) else {
            return Err(self.problems.error(span, "malformed `declare-datatypes`", DECLARATION));
        };
        let mut declared: Vec<Declared<'a>> = Vec::new();
        if names.is_empty() {
            for body in bodies {
                let Some((name, constructors)) = body.application() else {
                    return Err(self.problems.error(body.span, "malformed datatype", DECLARATION));
                };
                declared.push((name, body.span, constructors));
            }
        } else {
            if names.len() != bodies.len() {
                let label = format!("{} names, {} declarations", names.len(), bodies.len());
                return Err(self.problems.error(span, "malformed `declare-datatypes`", label));
            }
            for (name, body) in names.iter().zip(bodies) {
                // In the older syntax these are parameters.
                if name.symbol().is_some() {
                    return Err(self.parametric(name.span));
                }
                let Some((symbol, [arity])) = name.application() else {
                    return Err(self.problems.error(name.span, "malformed datatype", DECLARATION));
                };
                if !matches!(arity.kind, Kind::Numeral("0")) {
                    return Err(self.parametric(body.span));
                }
                declared.push((symbol, name.span, self.constructor_list(*body)?));
            }
        }
        self.define_datatypes(&declared, span)
    }

    /// `(declare-datatype name (constructor …))`.
    pub fn declare_datatype(&mut self, name: Expression<'a>, body: Expression<'a>, span: Span) -> Checked<()> {
        let Some(symbol) = name.symbol() else {
            return Err(self.problems.error(name.span, "expected a name", "not a symbol"));
        };
        let constructors = self.constructor_list(body)?;
        self.define_datatypes(&[(symbol, name.span, constructors)], span)
    }

    fn constructor_list(&mut self, body: Expression<'a>) -> Checked<&'a [Expression<'a>]> {
        if let Some(("par", _)) = body.application() {
            return Err(self.parametric(body.span));
        }
        match body.list() {
            Some(constructors) => Ok(constructors),
            None => Err(self
                .problems
                .error(body.span, "expected a list of constructors", DECLARATION)),
        }
    }

    fn parametric(&mut self, span: Span) -> Reported {
        let help = "declare a datatype for each sort that the parameters stand for";
        self.problems.refuse("datatypes with parameters", span, help)
    }

    fn define_datatypes(&mut self, declared: &[Declared<'a>], span: Span) -> Checked<()> {
        if self.program.terms.datatypes().len() + declared.len() > MOST_DATATYPES {
            let label = format!("more than {MOST_DATATYPES}");
            return Err(self.problems.unsupported(span, "too many datatypes", label));
        }
        for (position, (name, at, _)) in declared.iter().enumerate() {
            let twice = declared[..position].iter().any(|(other, ..)| other == name);
            if twice || super::names::THEORY_SYMBOLS.contains(name) || self.sorts.contains_key(name) {
                let message = format!("the datatype `{name}` cannot be declared");
                return Err(self.problems.error(*at, message, "this name has a meaning already"));
            }
        }
        let names: Vec<&str> = declared.iter().map(|(name, ..)| *name).collect();
        let sorts = self.program.terms.declare_datatypes(&names);
        for (name, sort) in names.iter().zip(&sorts) {
            self.sorts.insert(*name, SortDefinition::Fixed(*sort));
        }
        for ((name, at, constructors), sort) in declared.iter().zip(&sorts) {
            if constructors.is_empty() {
                let message = format!("the datatype `{name}` has no constructor");
                return Err(self.problems.error(*at, message, "it would have no value"));
            }
            for constructor in *constructors {
                self.define_constructor(*sort, *constructor)?;
            }
        }
        self.check_group(&sorts, span)
    }

    fn define_constructor(&mut self, sort: SortId, declaration: Expression<'a>) -> Checked<()> {
        self.charge(8, declaration.span)?;
        let (name, fields) = match (declaration.symbol(), declaration.application()) {
            (Some(name), _) => (name, &[][..]),
            (_, Some(application)) => application,
            _ => {
                return Err(self
                    .problems
                    .error(declaration.span, "malformed constructor", DECLARATION));
            }
        };
        let mut read = Vec::with_capacity(fields.len());
        for field in fields {
            let Some((name, [sort])) = field.application() else {
                return Err(self.problems.error(field.span, "malformed field", DECLARATION));
            };
            read.push((name, self.sort(*sort)?));
        }
        let made = self.program.terms.add_constructor(sort, name, &read);
        let Some(constructor) = made else { return Err(Reported) };
        self.declare(name, declaration.span, Global::Constructor(constructor))?;
        let ids = self.program.terms.constructor(constructor).fields.clone();
        for ((id, (name, _)), field) in ids.into_iter().zip(read).zip(fields) {
            self.declare(name, field.span, Global::Field(id))?;
        }
        Ok(())
    }

    /// Datatypes have to have values, and must not hold each other inside of arrays.
    fn check_group(&mut self, sorts: &[SortId], span: Span) -> Checked<()> {
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
        constructor: ConstructorId,
        arguments: &[Located],
        span: Span,
    ) -> Checked<TermId> {
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
    pub fn apply_field(&mut self, field: FieldId, arguments: &[Located], span: Span) -> Checked<TermId> {
        let declared = self.program.terms.field(field).clone();
        self.check_count(&format!("`{}`", declared.name), arguments.len(), 1, span)?;
        let sort = self.program.terms.constructed_sort(declared.constructor);
        let whole = self.require_sort(arguments[0], sort)?;
        Ok(self.program.terms.field_of(field, whole))
    }

    /// Whether a term was made by a constructor.
    pub fn apply_tester(&mut self, constructor: ConstructorId, arguments: &[Located], span: Span) -> Checked<TermId> {
        self.check_count("a tester", arguments.len(), 1, span)?;
        let sort = self.program.terms.constructed_sort(constructor);
        let whole = self.require_sort(arguments[0], sort)?;
        Ok(self.program.terms.is_made_by(constructor, whole))
    }

    /// The constructor of a name, if it is one.
    pub fn constructor_named(&self, name: &str) -> Option<ConstructorId> {
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
            let Some(constructor) = self
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
            let fields = self.program.terms.constructor(constructor).fields.clone();
            if self.program.terms.constructed_sort(constructor) != sort || fields.len() != names.len() {
                let message = format!("the pattern `{name}` does not fit");
                return Err(self
                    .problems
                    .error(pattern.span, message, "of another datatype, or with other fields"));
            }
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
