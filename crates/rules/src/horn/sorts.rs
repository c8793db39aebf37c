//! Sort expressions: `Int`, `Real`, `Bool`, arrays, bit-vectors, datatypes, and the names `define-sort` gives to them.

use super::expression::{Expression, Kind};
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Reader, nearest};
use crate::diagnostics::Diagnostic;
use crate::terms::{FloatFormat, SortId};
use hashbrown::HashMap;

/// Arrays of arrays of arrays … nest at most this deep.
const DEEPEST_SORT: usize = 64;

/// A sort made by `define-sort`.
#[derive(Clone, Copy)]
pub(super) enum SortDefinition<'a> {
    /// A name for a sort with parameters.
    Defined {
        parameters: &'a [Expression<'a>],
        body: Expression<'a>,
    },
    /// A name without parameters.
    Fixed(SortId),
    /// A datatype that was declared with parameters.
    Generic(usize),
    /// A name whose declaration was refused.
    Poisoned,
}

/// The features SMT-LIB's other sorts belong to.
fn unsupported_feature(name: &str) -> Option<&'static str> {
    Some(match name {
        "String" | "RegLan" => "strings",
        "Float16" | "Float128" => "floating-point numbers of other formats than `Float32` and `Float64`",
        "RoundingMode" => "directions of rounding that are no constants",
        "Seq" => "sequences",
        "Set" => "sets",
        _ => return None,
    })
}

const SUPPORTED_SORTS: &str =
    "sorts are `Int`, `Real`, `Bool`, `(_ BitVec 32)`, `Float32`, `Float64`, datatypes that are declared, and arrays";

impl<'a> Reader<'a> {
    /// The sort an expression stands for.
    pub fn sort(&mut self, expression: Expression<'a>) -> Checked<SortId> {
        self.sort_within(expression, &HashMap::new(), 0)
    }

    /// The sort an expression stands for where parameters of a `define-sort` are bound. Recursion is limited by `depth`.
    pub fn sort_within(
        &mut self,
        expression: Expression<'a>,
        parameters: &HashMap<&'a str, SortId>,
        depth: usize,
    ) -> Checked<SortId> {
        self.charge(8, expression.span)?;
        if depth > DEEPEST_SORT {
            let label = format!("more than {DEEPEST_SORT} levels");
            return Err(self
                .problems
                .unsupported(expression.span, "sort nested too deeply", label));
        }
        if let Some(("_", [name, width])) = expression.application()
            && name.symbol() == Some("BitVec")
        {
            return self.word_sort(*width);
        }
        if let Some(("_", [name, indices @ ..])) = expression.application()
            && name.symbol() == Some("FloatingPoint")
        {
            return self.float_sort(indices, expression.span);
        }
        let (name, arguments) = match (expression.kind, expression.application()) {
            (Kind::Symbol(name), _) => (name, &[][..]),
            (
                _,
                Some((
                    "_",
                    [
                        Expression {
                            kind: Kind::Symbol(name),
                            ..
                        },
                        ..,
                    ],
                )),
            ) if unsupported_feature(name).is_some() => {
                return self.unknown_sort(name, expression);
            }
            (_, Some(application)) => application,
            _ => return Err(self.problems.error(expression.span, "expected a sort", SUPPORTED_SORTS)),
        };
        if let (Some(sort), []) = (parameters.get(name), arguments) {
            return Ok(*sort);
        }
        match (name, arguments) {
            ("Int", []) => Ok(SortId::INT),
            ("Real", []) => Ok(SortId::REAL),
            ("Bool", []) => Ok(SortId::BOOL),
            ("Float32", []) => Ok(self.program.terms.float_sort(FloatFormat::Single)),
            ("Float64", []) => Ok(self.program.terms.float_sort(FloatFormat::Double)),
            ("Array", [index, element]) => {
                let index_sort = self.sort_within(*index, parameters, depth + 1)?;
                let element_sort = self.sort_within(*element, parameters, depth + 1)?;
                Ok(self.program.terms.array_sort(index_sort, element_sort))
            }
            ("Int" | "Real" | "Bool" | "Array", _) => {
                let message = format!("wrong number of arguments for the sort `{name}`");
                Err(self.problems.error(expression.span, message, SUPPORTED_SORTS))
            }
            _ => self.defined_sort(name, arguments, expression, parameters, depth),
        }
    }

    fn word_sort(&mut self, width: Expression<'a>) -> Checked<SortId> {
        let number = match width.kind {
            Kind::Numeral(digits) => digits.parse::<u32>().unwrap_or(u32::MAX),
            _ => 0,
        };
        self.check_width(number, width.span)?;
        Ok(self.program.terms.word_sort(number))
    }

    fn defined_sort(
        &mut self,
        name: &'a str,
        arguments: &'a [Expression<'a>],
        expression: Expression<'a>,
        parameters: &HashMap<&'a str, SortId>,
        depth: usize,
    ) -> Checked<SortId> {
        match self.sorts.get(name).copied() {
            Some(SortDefinition::Poisoned) => Err(Reported),
            Some(SortDefinition::Fixed(sort)) if arguments.is_empty() => Ok(sort),
            Some(SortDefinition::Generic(index)) if self.parameter_count(index) == arguments.len() => {
                let mut sorts = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    sorts.push(self.sort_within(*argument, parameters, depth + 1)?);
                }
                self.instance(index, sorts, expression.span)
            }
            Some(SortDefinition::Defined {
                parameters: names,
                body,
            }) if names.len() == arguments.len() => {
                let mut bound = HashMap::new();
                for (name, argument) in names.iter().zip(arguments) {
                    let sort = self.sort_within(*argument, parameters, depth + 1)?;
                    bound.insert(name.symbol().unwrap_or(""), sort);
                }
                self.sort_within(body, &bound, depth + 1)
            }
            Some(_) => {
                let message = format!("wrong number of arguments for the sort `{name}`");
                Err(self
                    .problems
                    .error(expression.span, message, "not as its definition has it"))
            }
            None => self.unknown_sort(name, expression),
        }
    }

    fn unknown_sort(&mut self, name: &str, expression: Expression<'a>) -> Checked<SortId> {
        if let Some(feature) = unsupported_feature(name) {
            return Err(self.problems.refuse(feature, expression.span, SUPPORTED_SORTS));
        }
        let error = Diagnostic::error(
            expression.span.range(),
            format!("unknown sort `{name}`"),
            "not a sort known here",
        );
        let similar = nearest(name, ["Int", "Real", "Bool", "Array"].into_iter());
        let help = similar.map_or(SUPPORTED_SORTS.to_string(), |sort| format!("did you mean `{sort}`?"));
        Err(self.problems.report(error.help(help)))
    }

    /// Whether a sort may have this name.
    pub fn check_sort_name(&mut self, name: &str, span: Span) -> Checked<()> {
        if !super::names::THEORY_SYMBOLS.contains(&name) && !self.sorts.contains_key(name) {
            return Ok(());
        }
        let message = format!("the sort `{name}` cannot be defined");
        Err(self.problems.error(span, message, "this name has a meaning already"))
    }

    /// A sorted variable `(name sort)` of a quantifier, macro or parameter list.
    pub fn sorted_variable(&mut self, expression: Expression<'a>) -> Checked<(&'a str, SortId)> {
        match expression.list() {
            Some([name, sort]) if name.symbol().is_some() => {
                let sort = self.sort(*sort)?;
                Ok((name.symbol().unwrap_or(""), sort))
            }
            _ => Err(self
                .problems
                .error(expression.span, "expected a variable with its sort", "like `(X Int)`")),
        }
    }

    /// A list of sorted variables with different names.
    pub fn sorted_variables(&mut self, list: Expression<'a>) -> Checked<Vec<(&'a str, SortId)>> {
        let Some(elements) = list.list() else {
            return Err(self
                .problems
                .error(list.span, "expected a list of variables", "like `((X Int) (Y Bool))`"));
        };
        let mut variables = Vec::with_capacity(elements.len());
        let mut names = hashbrown::HashSet::with_capacity(elements.len());
        for element in elements {
            let (name, sort) = self.sorted_variable(*element)?;
            if !names.insert(name) {
                let message = format!("`{name}` is bound twice");
                return Err(self
                    .problems
                    .error(element.span, message, "bound again in the same list"));
            }
            variables.push((name, sort));
        }
        Ok(variables)
    }
}
