//! The commands of an SMT-LIB script, and of z3's rule syntax: declarations fill the tables of the reader, assertions become
//! rules, questions to the solver are skipped.

use super::expression::{Command, Expression, Kind};
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Global, Macro, Reader, Value, nearest};
use super::sorts::SortDefinition;
use crate::diagnostics::Diagnostic;
use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::SortId;
use hashbrown::HashMap;

/// The commands that are understood or skipped.
const COMMANDS: [&str; 18] = [
    "set-logic",
    "set-info",
    "set-option",
    "declare-fun",
    "declare-const",
    "declare-rel",
    "declare-var",
    "declare-datatypes",
    "declare-datatype",
    "define-fun",
    "define-const",
    "define-sort",
    "assert",
    "rule",
    "query",
    "check-sat",
    "get-model",
    "exit",
];

impl<'a> Reader<'a> {
    /// Reads the commands in order.
    pub fn run(&mut self, commands: &[Command<'a>]) {
        let mut asked = None;
        for command in commands {
            if self.problems.is_full() {
                return;
            }
            if command.damaged {
                self.poison(command.expression);
                continue;
            }
            let Some((name, arguments)) = command.expression.application() else {
                let label = "expected `(command …)`";
                self.problems
                    .error(command.expression.span, "this is no command", label);
                continue;
            };
            if name == "exit" {
                return;
            }
            if let ("assert" | "rule" | "query", Some(question)) = (name, asked) {
                self.assertion_too_late(command.expression.span, question);
                return;
            }
            if name == "check-sat" {
                asked = asked.or(Some(command.expression.span));
            }
            self.ask(name, arguments);
            // What went wrong has been reported; the next command may be right.
            if self.command(name, arguments, command.expression).is_err()
                && (name.starts_with("declare") || name.starts_with("define"))
            {
                self.poison(command.expression);
            }
        }
    }

    fn command(&mut self, name: &str, arguments: &'a [Expression<'a>], command: Expression<'a>) -> Checked<()> {
        match (name, arguments) {
            ("set-logic", [logic]) => self.set_logic(*logic),
            (
                "set-info" | "set-option" | "get-info" | "get-option" | "echo" | "check-sat" | "get-model"
                | "get-proof" | "get-assertions" | "get-unsat-core",
                _,
            ) => Ok(()),
            ("declare-fun", [name, parameters, result]) => self.declare_function(*name, *parameters, Some(*result)),
            ("declare-rel", [name, parameters]) => self.declare_function(*name, *parameters, None),
            ("declare-const", [name, sort]) => self.declare_constant(*name, *sort),
            ("declare-var", [name, sort]) => {
                let (name, span) = self.name(*name)?;
                let sort = self.sort(*sort)?;
                let variable = self.program.terms.fresh_variable(name, sort);
                self.declare(name, span, Global::Variable(variable))
            }
            ("define-fun", [name, parameters, result, body]) => {
                self.define_function(*name, Some(*parameters), *result, *body)
            }
            ("define-const", [name, sort, body]) => self.define_function(*name, None, *sort, *body),
            ("define-sort", [name, parameters, body]) => self.define_sort(*name, *parameters, *body),
            ("assert", [formula]) | ("rule", [formula] | [formula, _]) => self.assertion(*formula),
            ("query", [goal, ..]) => self.query(*goal),
            ("declare-datatypes", [names, bodies]) => self.declare_datatypes(*names, *bodies, command.span),
            ("declare-datatype", [name, body]) => self.declare_datatype(*name, *body, command.span),
            ("declare-sort", [name, arity]) if matches!(arity.kind, Kind::Numeral("0")) => {
                let (name, span) = self.name(*name)?;
                self.declare_sort(name, span)
            }
            ("declare-sort", [_, _]) => {
                let help = "declare a sort for each that the parameters stand for";
                Err(self
                    .problems
                    .refuse("uninterpreted sorts with parameters", command.span, help))
            }
            ("define-fun-rec" | "define-funs-rec", _) => {
                let help = "write the recursion as clauses over a predicate";
                Err(self.problems.refuse("recursive functions", command.span, help))
            }
            ("push" | "pop" | "reset" | "reset-assertions" | "check-sat-assuming", _) => {
                let help = "a text states one problem: its assertions, then `(check-sat)`; `clausal solve` takes `push`, `pop` and \
                            `reset`";
                Err(self.problems.refuse("incremental scripts", command.span, help))
            }
            _ if COMMANDS.contains(&name) => {
                let message = format!("malformed `{name}`");
                Err(self
                    .problems
                    .error(command.span, message, "not the arguments this command takes"))
            }
            _ => {
                let error = Diagnostic::error(
                    command.span.range(),
                    format!("unknown command `{name}`"),
                    "not a command of SMT-LIB",
                );
                let similar = nearest(name, COMMANDS.into_iter());
                Err(self.problems.report(match similar {
                    Some(similar) => error.help(format!("did you mean `{similar}`?")),
                    None => error.help(format!("the commands are {}", COMMANDS.join(", "))),
                }))
            }
        }
    }

    fn set_logic(&mut self, logic: Expression<'a>) -> Checked<()> {
        if logic.symbol() == Some("HORN") {
            return Ok(());
        }
        let error = Diagnostic::error(logic.span.range(), "the logic is not HORN", "expected `HORN`");
        Err(self
            .problems
            .report(error.help("only constrained Horn clauses can be read")))
    }

    fn assertion_too_late(&mut self, span: Span, question: Span) -> Reported {
        let error = Diagnostic::error(
            span.range(),
            "clause after `(check-sat)`",
            "not part of the question asked",
        );
        let error = error.related(question.range(), "asked here");
        self.problems
            .report(error.help("move `(check-sat)` to the end of the text"))
    }

    pub fn name(&mut self, expression: Expression<'a>) -> Checked<(&'a str, Span)> {
        match expression.symbol() {
            Some(name) => Ok((name, expression.span)),
            None => Err(self.problems.error(expression.span, "expected a name", "not a symbol")),
        }
    }

    fn elements(&mut self, list: Expression<'a>) -> Checked<&'a [Expression<'a>]> {
        match list.list() {
            Some(elements) => Ok(elements),
            None => Err(self.problems.error(list.span, "expected a list", "not in parentheses")),
        }
    }

    /// A predicate: a function into the Booleans, which is what there is without a result.
    fn declare_function(
        &mut self,
        name: Expression<'a>,
        parameters: Expression<'a>,
        result: Option<Expression<'a>>,
    ) -> Checked<()> {
        let (name, span) = self.name(name)?;
        let mut sorts = Vec::new();
        for parameter in self.elements(parameters)? {
            sorts.push(self.sort(*parameter)?);
        }
        if let Some(result) = result {
            self.only_predicates(name, result)?;
        }
        self.declare_predicate(name, span, &sorts)
    }

    fn declare_constant(&mut self, name: Expression<'a>, sort: Expression<'a>) -> Checked<()> {
        let (name, span) = self.name(name)?;
        self.only_predicates(name, sort)?;
        self.declare_predicate(name, span, &[])
    }

    fn only_predicates(&mut self, name: &str, result: Expression<'a>) -> Checked<()> {
        if self.sort(result)? == SortId::BOOL {
            return Ok(());
        }
        let error = Diagnostic::error(
            result.span.range(),
            format!("`{name}` is not a predicate"),
            "only functions into `Bool` can be declared",
        );
        Err(self
            .problems
            .report(error.help("bind variables by `forall` in each assertion that uses them")))
    }

    fn declare_predicate(&mut self, name: &'a str, span: Span, sorts: &[SortId]) -> Checked<()> {
        let names: Vec<String> = (1..=sorts.len()).map(|number| format!("X{number}")).collect();
        let parameters: Vec<(&str, SortId)> = names.iter().map(String::as_str).zip(sorts.iter().copied()).collect();
        let predicate = crate::rules::PredicateId::from_index(self.program.predicates().len());
        self.declare(name, span, Global::Predicate(predicate))?;
        self.program.add_predicate(name, None, &parameters);
        Ok(())
    }

    /// A macro. Its body is read once with variables for the parameters, so that what is wrong with it is said here and
    /// not at its uses; itself it is not yet known then, so it cannot be recursive.
    fn define_function(
        &mut self,
        name: Expression<'a>,
        parameters: Option<Expression<'a>>,
        result: Expression<'a>,
        body: Expression<'a>,
    ) -> Checked<()> {
        let (name, span) = self.name(name)?;
        let (elements, variables) = match parameters {
            Some(list) => (self.elements(list)?, self.sorted_variables(list)?),
            None => (&[][..], Vec::new()),
        };
        let result = self.sort(result)?;
        self.formulas.clear();
        self.scope.clear();
        for (name, sort) in variables {
            let variable = self.program.terms.fresh_variable(name, sort);
            self.scope.bind(name, Value::Term(variable));
        }
        let value = self.value(body)?;
        match value.0 {
            Value::Formula(_) if result == SortId::BOOL => {}
            _ => {
                self.require_sort(value, result)?;
            }
        }
        self.declare(name, span, Global::Macro(self.macros.len()))?;
        self.macros.push(Macro {
            name,
            parameters: elements,
            body,
            result,
        });
        Ok(())
    }

    fn define_sort(&mut self, name: Expression<'a>, parameters: Expression<'a>, body: Expression<'a>) -> Checked<()> {
        let (name, span) = self.name(name)?;
        self.check_sort_name(name, span)?;
        let parameters = self.elements(parameters)?;
        let mut bound = HashMap::new();
        for parameter in parameters {
            let (name, _) = self.name(*parameter)?;
            bound.insert(name, SortId::INT);
        }
        // Any sort will do to check that the definition makes sense.
        let sort = self.sort_within(body, &bound, 0)?;
        let definition = match parameters {
            [] => SortDefinition::Fixed(sort),
            _ => SortDefinition::Defined { parameters, body },
        };
        self.sorts.insert(name, definition);
        Ok(())
    }

    /// z3's `(query p)`: whether `p` holds for any arguments; `(query (p 1))` and other formulas ask for just that.
    fn query(&mut self, goal: Expression<'a>) -> Checked<()> {
        let predicate = goal.symbol().and_then(|name| self.globals.get(name).copied());
        let Some((Global::Predicate(predicate), _)) = predicate else {
            return self.unreachable(goal);
        };
        let parameters = self.program.predicate(predicate).parameters.clone();
        let arguments = parameters
            .iter()
            .map(|parameter| {
                let (name, sort) = (
                    self.program.terms.variable_name(*parameter).to_string(),
                    self.program.terms.sort(*parameter),
                );
                self.program.terms.fresh_variable(&name, sort)
            })
            .collect();
        let location = Some(self.location(goal.span));
        let clause = Rule {
            head: Atom {
                predicate: PredicateId::ERROR,
                arguments: Vec::new(),
            },
            constraint: Vec::new(),
            body: vec![Atom { predicate, arguments }],
            location,
        };
        self.clauses.push((clause, goal.span));
        Ok(())
    }
}
