//! What the parts of the reader share: the program being made, the names declared so far, the names bound at the moment, and
//! a limit on the work, so that no text, however it nests and repeats itself, keeps the reader busy for long.

use super::expression::Expression;
use super::formula::{FormulaId, Formulas};
use super::generics::{Constructed, Generics, Selected};
use super::lexer::Span;
use super::names::THEORY_SYMBOLS;
use super::problems::{Checked, Problems, Reported};
use super::questions::Questions;
use crate::diagnostics::Diagnostic;
use crate::rules::{Location, PredicateId, Program, Rule};
use crate::terms::{SortId, TermId};
use hashbrown::{HashMap, HashSet};

/// How much work any text may cause, in units of about a microsecond. Texts stay far below this; texts whose macros, `let`s
/// or products double at every level do not.
const MOST_WORK: usize = 3_000_000;
/// How much more work a text may cause for each of its bytes, so that large texts are not refused for being large.
const WORK_PER_BYTE: usize = 8;

/// Names longer than this are not compared when looking for a similar one.
const LONGEST_COMPARED_NAME: usize = 64;

/// What an expression stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// A theory term of any sort.
    Term(TermId),
    /// A formula that may hold predicates.
    Formula(FormulaId),
}

/// What a declared name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Predicate(PredicateId),
    /// The index of a macro.
    Macro(usize),
    /// A variable made by `declare-var`, quantified over each rule anew.
    Variable(TermId),
    /// A constructor of a datatype.
    Constructor(Constructed),
    /// A field of a constructor.
    Field(Selected),
    /// A name whose declaration was wrong: what is wrong with its uses follows from that, and is not reported.
    Poisoned,
}

/// A function made by `define-fun`: its body is read anew for each application, in place of a call.
#[derive(Clone, Copy)]
pub(super) struct Macro<'a> {
    pub name: &'a str,
    pub parameters: &'a [Expression<'a>],
    pub body: Expression<'a>,
    pub result: SortId,
}

/// The names bound by `let`, quantifiers and parameters of macros.
#[derive(Default)]
pub(super) struct Scope<'a> {
    bindings: HashMap<&'a str, Vec<(u32, Value)>>,
    /// All bound names, the latest last.
    log: Vec<&'a str>,
    /// Which call of a macro is being read: names bound outside of it are not visible.
    pub frame: u32,
    frames: u32,
}

impl<'a> Scope<'a> {
    pub fn clear(&mut self) {
        *self = Scope::default();
    }

    pub fn bind(&mut self, name: &'a str, value: Value) {
        self.bindings.entry(name).or_default().push((self.frame, value));
        self.log.push(name);
    }

    /// Forgets the latest bindings.
    pub fn unbind(&mut self, count: usize) {
        for name in self.log.drain(self.log.len().saturating_sub(count)..) {
            if let Some(values) = self.bindings.get_mut(name) {
                values.pop();
            }
        }
    }

    pub fn lookup(&self, name: &str) -> Option<Value> {
        let (frame, value) = self.bindings.get(name)?.last()?;
        (*frame == self.frame).then_some(*value)
    }

    /// Starts the call of a macro; the frame to go back to is returned.
    pub fn enter(&mut self) -> u32 {
        self.frames += 1;
        std::mem::replace(&mut self.frame, self.frames)
    }
}

/// The state of reading one text.
pub(super) struct Reader<'a> {
    pub program: Program,
    pub problems: Problems,
    pub globals: HashMap<&'a str, (Global, Span)>,
    /// The declared names in the order of the text, for suggestions.
    pub declared: Vec<&'a str>,
    pub macros: Vec<Macro<'a>>,
    pub sorts: HashMap<&'a str, super::sorts::SortDefinition<'a>>,
    /// Datatypes with parameters.
    pub generics: Generics<'a>,
    pub scope: Scope<'a>,
    pub formulas: Formulas,
    /// The clauses read so far, conclusion first, and the assertions they come from. A conclusion `false` is the error.
    pub clauses: Vec<(Rule, Span)>,
    /// The variables of the clauses read so far.
    pub used_variables: HashSet<TermId>,
    /// What the text asks.
    pub questions: Questions,
    work: usize,
    line_starts: Vec<usize>,
    source: &'a str,
}

impl<'a> Reader<'a> {
    pub fn new(source: &'a str, problems: Problems) -> Reader<'a> {
        let newlines = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Reader {
            program: Program::new(),
            problems,
            globals: HashMap::new(),
            declared: Vec::new(),
            macros: Vec::new(),
            sorts: HashMap::new(),
            generics: Generics::default(),
            scope: Scope::default(),
            formulas: Formulas::default(),
            clauses: Vec::new(),
            used_variables: HashSet::new(),
            questions: Questions::default(),
            work: 0,
            line_starts: std::iter::once(0)
                .chain(newlines.map(|(position, _)| position + 1))
                .collect(),
            source,
        }
    }

    /// Counts work against the limit.
    pub fn charge(&mut self, steps: usize, span: Span) -> Checked<()> {
        self.work = self.work.saturating_add(steps);
        if self.work <= MOST_WORK.saturating_add(self.source.len().saturating_mul(WORK_PER_BYTE)) {
            return Ok(());
        }
        let message = "the text grows too large when its definitions are put in";
        let error = Diagnostic::error(span.range(), message, "the limit was reached here");
        let error = error
            .unsupported()
            .help("write it with fewer nested `let`, `define-fun` and products");
        let reported = self.problems.report(error);
        // Everything after this would hit the limit too.
        self.problems.exhaust();
        Err(reported)
    }

    /// Whether a name occurs in the text, perhaps as a part of another one.
    pub fn mentions(&self, name: &str) -> bool {
        self.source.contains(name)
    }

    /// An expression as it is written.
    pub fn written(&self, expression: Expression<'a>) -> &'a str {
        self.source.get(expression.span.range()).unwrap_or_default()
    }

    /// The line and column of a place.
    pub fn location(&self, span: Span) -> Location {
        let line = self.line_starts.partition_point(|start| *start <= span.start);
        let line_start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.source.get(line_start..span.start).unwrap_or("");
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Location {
            line: number(line),
            column: number(before.chars().count() + 1),
        }
    }

    /// Enters a name into the table of declared names, unless it is taken.
    pub fn declare(&mut self, name: &'a str, span: Span, global: Global) -> Checked<()> {
        if THEORY_SYMBOLS.contains(&name) {
            let message = format!("`{name}` cannot be declared");
            return Err(self
                .problems
                .error(span, message, "this symbol has a fixed meaning in SMT-LIB"));
        }
        if let Some((earlier, declared)) = self.globals.get(name).copied() {
            if matches!(earlier, Global::Poisoned) {
                return Err(Reported);
            }
            let error = Diagnostic::error(
                span.range(),
                format!("`{name}` is declared twice"),
                "declared here again",
            );
            return Err(self
                .problems
                .report(error.related(declared.range(), "declared here first")));
        }
        self.globals.insert(name, (global, span));
        self.declared.push(name);
        Ok(())
    }

    /// Enters all names in a declaration that could not be understood, so that their uses are not reported as unknown.
    pub fn poison(&mut self, declaration: Expression<'a>) {
        for name in declaration.symbols() {
            if !THEORY_SYMBOLS.contains(&name) {
                self.globals.entry(name).or_insert((Global::Poisoned, declaration.span));
                self.sorts.entry(name).or_insert(super::sorts::SortDefinition::Poisoned);
            }
        }
    }

    /// The error for a name that nothing declares, with the most similar name that something does.
    pub fn unknown(&mut self, name: &str, span: Span) -> Reported {
        let error = Diagnostic::error(span.range(), format!("unknown symbol `{name}`"), "not declared");
        let bound = self.scope.log.iter().filter(|bound| self.scope.lookup(bound).is_some());
        let candidates = bound.chain(&self.declared).chain(&THEORY_SYMBOLS).copied();
        let error = match nearest(name, candidates) {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => error.help("predicates are declared with `declare-fun`, variables bound by `forall`"),
        };
        self.problems.report(error)
    }
}

/// The candidate most similar to a name, if one is similar enough to be meant.
pub(super) fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_COMPARED_NAME {
        return None;
    }
    let allowed = (name.len() / 3).max(1);
    candidates
        .filter(|candidate| candidate.len() <= LONGEST_COMPARED_NAME)
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < name.len().max(candidate.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
