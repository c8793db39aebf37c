//! The rules that start at a predicate: one for each path to the next predicate, by symbolic execution.

use super::super::arithmetic::{Conjunct, Lowering, Record, Rules, Truth, Values};
use super::super::definedness::is_checked;
use super::super::flat::{
    Failure, FlatBlockId, FlatExpression, FlatInstruction, FlatInstructionKind, FlatTerminator, FlatVariable,
    SourcePlace,
};
use super::super::options::Undefined;
use super::super::program::ErrorKind;
use super::super::ranges::State;
use super::super::source_map::{Place, RuleSource, Step, StepKind};
use super::propagation::propagated;
use super::{Emission, sort_of};
use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::TermId;
use hashbrown::HashSet;

/// A path as far as it has been followed.
#[derive(Clone)]
pub(super) struct Path {
    /// Where it starts.
    head: Atom,
    start: FlatBlockId,
    /// The block that comes next.
    block: FlatBlockId,
    pub(super) values: Values,
    pub(super) state: State,
    pub(super) record: Record,
    pub(super) steps: Vec<Step>,
    /// The calls on the way, all of which come back.
    pub(super) calls: Vec<Atom>,
}

/// The end of a path.
pub(super) enum End {
    Goal(FlatBlockId),
    Error(StepKind, SourcePlace),
    Return(SourcePlace),
    Stop,
}

impl Emission<'_> {
    pub(super) fn rules<'r>(&'r self, is_unknown_array: &'r dyn Fn(FlatVariable) -> bool) -> Rules<'r> {
        Rules {
            ranges: &self.ranges,
            undefined: self.options.undefined,
            checks: self.options.checks,
            floats: self.options.floats,
            obligations: self.options.undefined == Undefined::Ends || self.options.checks.arithmetic(),
            has_words: self.has_words,
            is_unknown_array,
            may_overflow: &self.may_overflow,
        }
    }

    /// Adds the rules that start at a predicate.
    pub(super) fn add_rules(&mut self, start: FlatBlockId) {
        let index = start.0 as usize;
        let (Some(predicate), Some(parameters)) = (self.predicates[index], self.parameters[index].clone()) else {
            return;
        };
        let Some(state) = self.states.at[index].clone() else {
            self.add_dead_end(start);
            return;
        };
        let mut values = Values::new();
        let mut arguments = Vec::new();
        for parameter in parameters.iter().copied() {
            let sort = sort_of(self.source, parameter, &mut self.program.terms, self.options.floats);
            let variable = self
                .program
                .terms
                .fresh_variable(&self.names[parameter.0 as usize], sort);
            values.insert(parameter, variable);
            arguments.push(variable);
        }
        for output in self.outputs_at(start).to_vec() {
            let sort = sort_of(self.source, output, &mut self.program.terms, self.options.floats);
            let name = self.output_name(output, &parameters);
            arguments.push(self.program.terms.fresh_variable(&name, sort));
        }
        let before = self.program.rules().len();
        let head = Atom { predicate, arguments };
        let mut waiting = vec![Path {
            head: head.clone(),
            start,
            block: start,
            values,
            state,
            record: Record::default(),
            steps: Vec::new(),
            calls: Vec::new(),
        }];
        while let Some(path) = waiting.pop() {
            self.follow(path, &mut waiting);
        }
        if self.program.rules().len() == before {
            self.add_dead_end(start);
        }
    }

    /// A predicate without rules would look like a mistake: it gets one that leads nowhere. Where a procedure does not return,
    /// no derivation may end.
    fn add_dead_end(&mut self, block: FlatBlockId) {
        let Some(predicate) = self.predicates[block.0 as usize] else {
            return;
        };
        let mut arguments = Vec::new();
        for parameter in self.program.predicate(predicate).parameters.clone() {
            let terms = &mut self.program.terms;
            let name = terms.variable_name(parameter).to_string();
            arguments.push(terms.fresh_variable(&name, terms.sort(parameter)));
        }
        let is_called = self.flow.procedures.of_block(block).is_some();
        let rule = Rule {
            head: Atom { predicate, arguments },
            constraint: if is_called { vec![TermId::FALSE] } else { Vec::new() },
            body: Vec::new(),
            location: Some(self.location(block)),
        };
        self.add_rule(rule, RuleSource::default());
    }

    /// Goes through a block, and leaves where it goes on in `waiting`.
    fn follow(&mut self, path: Path, waiting: &mut Vec<Path>) {
        let source = self.source;
        let block = &source.blocks[path.block.0 as usize];
        let mut path = path;
        for instruction in &block.instructions {
            self.note_stack(&mut path, instruction, &block.terminator);
            match self.execute(path, instruction) {
                Some(next) => path = next,
                None => return,
            }
        }
        match &block.terminator {
            FlatTerminator::Goto(next) => self.arrive(path, *next, waiting),
            FlatTerminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let Some((path, truth)) = self.condition(path, condition, block.place) else {
                    return;
                };
                // Two paths that say nothing different from here on would double the rules at each such branch.
                if then == otherwise {
                    return self.arrive(path, *then, waiting);
                }
                // That a check succeeds or fails is no condition of the program's.
                let is_check = [then, otherwise].into_iter().any(|next| self.is_failed_check(*next));
                // Nor is where a call came from that is on a stack.
                let mut is_return = false;
                condition.for_each_variable(&mut |read| is_return |= self.source.open_calls == Some(read));
                // Nor is what a function of the library asks, whose text the program does not have.
                let is_library = self.source.library.contains(&block.place.function);
                // The last one pushed is followed first.
                for (next, holds, formula) in [(*otherwise, false, truth.no), (*then, true, truth.yes)] {
                    let mut side = path.clone();
                    let Some(state) = self.ranges.refine(&side.state, condition, holds) else {
                        continue;
                    };
                    if !constrain(&mut side, formula) {
                        continue;
                    }
                    side.state = state;
                    if !is_check && !is_return && !is_library {
                        side.steps.push(step(block.place, StepKind::Condition { holds }));
                    }
                    self.arrive(side, next, waiting);
                }
            }
            FlatTerminator::Call { entry, after } => self.call(path, *entry, *after, block.place, waiting),
            FlatTerminator::Return => self.finish(path, End::Return(block.place)),
            FlatTerminator::Stop => {
                let has_prints = path.steps.iter().any(|step| matches!(step.kind, StepKind::Print(_)));
                if self.options.keep_prints && has_prints {
                    self.finish(path, End::Stop);
                }
            }
            FlatTerminator::Error(failure) => self.fail(path, failure, block.place),
        }
    }

    /// Whether a block is where a check has failed: an error that the program does not have written down.
    fn is_failed_check(&self, block: FlatBlockId) -> bool {
        let block = &self.source.blocks[block.0 as usize];
        matches!(block.terminator, FlatTerminator::Error(ref failure) if failure.kind != ErrorKind::Reached)
    }

    /// The path ends in an error that something is known of.
    fn fail(&mut self, mut path: Path, failure: &Failure, place: SourcePlace) {
        let mut terms = std::mem::take(&mut self.program.terms);
        let unknown = |array: FlatVariable| self.unknown_arrays.contains(array);
        let rules = Rules {
            obligations: false,
            ..self.rules(&unknown)
        };
        let mut values = Vec::new();
        // Only the message needs the values: what comes up while they become terms is no part of the rule.
        let conjuncts = path.record.conjuncts.clone();
        for value in &failure.values {
            let mut lowering = Lowering::new(&mut terms, rules, &path.values, path.state.clone(), &mut path.record);
            let term = lowering.value(value).term;
            values.push(path.record.without_definitions(&mut terms, term));
        }
        path.record.conjuncts = conjuncts;
        self.program.terms = terms;
        let error = StepKind::Error {
            kind: failure.kind,
            text: failure.text.clone(),
            values,
            written: failure.written,
        };
        self.finish(path, End::Error(error, place));
    }

    pub(super) fn arrive(&mut self, mut path: Path, next: FlatBlockId, waiting: &mut Vec<Path>) {
        if self.parameters[next.0 as usize].is_some() {
            self.finish(path, End::Goal(next));
            return;
        }
        path.block = next;
        waiting.push(path);
    }

    /// The path after an instruction, if it goes on.
    fn execute(&mut self, mut path: Path, instruction: &FlatInstruction) -> Option<Path> {
        let place = instruction.place;
        match &instruction.kind {
            FlatInstructionKind::Assign(variable, value) => {
                let term;
                (path, term) = self.value(path, value, place)?;
                path.values.insert(*variable, term);
                self.note_assignment(&mut path, *variable, None, term, place);
            }
            FlatInstructionKind::Store { array, index, value } => {
                let (at, term);
                (path, at) = self.value(path, index, place)?;
                (path, term) = self.value(path, value, place)?;
                let values = self.array(&path, *array);
                let changed = self.program.terms.store(values, at, term);
                path.values.insert(*array, changed);
                self.note_assignment(&mut path, *array, Some(at), term, place);
            }
            FlatInstructionKind::CopyArray { target, source } => {
                let values = self.array(&path, *source);
                path.values.insert(*target, values);
            }
            FlatInstructionKind::Fill { array, value } => {
                let term;
                (path, term) = self.value(path, value, place)?;
                let sort = sort_of(self.source, *array, &mut self.program.terms, self.options.floats);
                let filled = self.program.terms.constant_array(sort, term);
                path.values.insert(*array, filled);
            }
            FlatInstructionKind::Unknown(variable, origin) => {
                let is_known = path.values.contains_key(variable);
                let (value, bounds) = self.input(*variable, is_known);
                for bound in bounds {
                    constrain(&mut path, bound);
                }
                path.values.insert(*variable, value);
                let info = &self.source.variables[variable.0 as usize];
                let kind = StepKind::Input {
                    variable: info.name.clone(),
                    source: origin.clone(),
                    value,
                    numeric: info.numeric,
                };
                path.steps.push(step(place, kind));
            }
            FlatInstructionKind::Assume(condition) | FlatInstructionKind::Defined(condition) => {
                let truth;
                (path, truth) = self.condition(path, condition, place)?;
                if !constrain(&mut path, truth.yes) {
                    return None;
                }
            }
            FlatInstructionKind::Print(values) => {
                let mut printed = Vec::new();
                for value in values {
                    let term;
                    (path, term) = self.value(path, value, place)?;
                    printed.push(path.record.without_definitions(&mut self.program.terms, term));
                }
                path.steps.push(step(place, StepKind::Print(printed)));
            }
            // All of them have been refused or replaced.
            FlatInstructionKind::Unsupported { .. } => {}
        }
        path.state = self.ranges.after(path.state, &instruction.kind)?;
        Some(path)
    }

    fn array(&mut self, path: &Path, array: FlatVariable) -> TermId {
        match path.values.get(&array) {
            Some(term) => *term,
            None => self.input(array, false).0,
        }
    }

    fn note_assignment(
        &mut self,
        path: &mut Path,
        variable: FlatVariable,
        index: Option<TermId>,
        value: TermId,
        place: SourcePlace,
    ) {
        let info = &self.source.variables[variable.0 as usize];
        if info.is_temporary {
            return;
        }
        let terms = &mut self.program.terms;
        let kind = StepKind::Assign {
            variable: info.name.clone(),
            index: index.map(|index| path.record.without_definitions(terms, index)),
            value: path.record.without_definitions(terms, value),
        };
        path.steps.push(step(place, kind));
    }

    fn value(&mut self, path: Path, expression: &FlatExpression, place: SourcePlace) -> Option<(Path, TermId)> {
        self.lower(path, place, |lowering| lowering.value(expression).term)
    }

    fn condition(&mut self, path: Path, expression: &FlatExpression, place: SourcePlace) -> Option<(Path, Truth)> {
        self.lower(path, place, |lowering| lowering.truth(expression))
    }

    /// Makes terms at the end of a path; `None` if no defined run gets past it.
    fn lower<T>(
        &mut self,
        mut path: Path,
        place: SourcePlace,
        action: impl FnOnce(&mut Lowering<'_>) -> T,
    ) -> Option<(Path, T)> {
        // The terms are taken out for a moment, because the rules of lowering look at everything else.
        let mut terms = std::mem::take(&mut self.program.terms);
        let unknown = |array: FlatVariable| self.unknown_arrays.contains(array);
        let rules = self.rules(&unknown);
        let mut lowering = Lowering::new(&mut terms, rules, &path.values, path.state.clone(), &mut path.record);
        let result = action(&mut lowering);
        self.program.terms = terms;
        for obligation in std::mem::take(&mut path.record.obligations) {
            let checked = is_checked(self.options.checks, obligation.kind);
            if checked {
                let mut failing = path.clone();
                if constrain(&mut failing, obligation.condition.no) {
                    let terms = &mut self.program.terms;
                    let values = obligation.values.iter();
                    let values = values.map(|value| failing.record.without_definitions(terms, *value));
                    let error = StepKind::Error {
                        kind: obligation.kind,
                        text: Some(obligation.text.to_string()),
                        values: values.collect(),
                        written: obligation.written,
                    };
                    self.finish(failing, End::Error(error, place));
                }
            }
            let wanted = checked || self.options.undefined == Undefined::Ends;
            if wanted && !constrain(&mut path, obligation.condition.yes) {
                return None;
            }
        }
        Some((path, result))
    }

    /// Makes a rule of a path.
    pub(super) fn finish(&mut self, mut path: Path, end: End) {
        let outputs = self.outputs_at(path.start).to_vec();
        let handed_back = path.head.arguments.len() - outputs.len();
        let handed_back: Vec<TermId> = path.head.arguments[handed_back..].to_vec();
        let mut body = std::mem::take(&mut path.calls);
        match end {
            End::Goal(block) => {
                let index = block.0 as usize;
                let (Some(predicate), Some(parameters)) = (self.predicates[index], self.parameters[index].clone())
                else {
                    return;
                };
                let mut arguments: Vec<TermId> = parameters
                    .iter()
                    .map(|parameter| self.argument(&path, *parameter))
                    .collect();
                arguments.extend(handed_back);
                body.push(Atom { predicate, arguments });
            }
            End::Return(place) => {
                let mut result = None;
                for (output, term) in outputs.into_iter().zip(handed_back) {
                    let value = self.argument(&path, output);
                    let equal = self.program.terms.equal(term, value);
                    constrain(&mut path, equal);
                    if self.source.variables[output.0 as usize].name.ends_with("::result") {
                        result = Some(path.record.without_definitions(&mut self.program.terms, value));
                    }
                }
                path.steps.push(step(place, StepKind::Return { result }));
            }
            End::Error(error, place) => {
                path.steps.push(step(place, error));
                body.push(Atom {
                    predicate: PredicateId::ERROR,
                    arguments: Vec::new(),
                });
            }
            End::Stop => {}
        }
        let arguments: Vec<TermId> = body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
        let (constraint, definitions) = self.used_conjuncts(&path, &arguments);
        if self.program.terms.and(&constraint) == TermId::FALSE {
            return;
        }
        let rule = Rule {
            head: path.head,
            constraint,
            body,
            location: Some(self.location(path.start)),
        };
        let source = RuleSource {
            steps: path.steps,
            definitions,
        };
        self.add_rule(rule, source);
    }

    /// The value of a variable where the next predicate takes over.
    pub(super) fn argument(&mut self, path: &Path, variable: FlatVariable) -> TermId {
        if let Some(value) = path.values.get(&variable) {
            return *value;
        }
        // Everything that matters is set or among the parameters; a value all the same keeps the rule whole.
        self.input(variable, false).0
    }

    /// The conjuncts but those that define variables nobody needs, and what the variables are that they define.
    fn used_conjuncts(&mut self, path: &Path, arguments: &[TermId]) -> (Vec<TermId>, Vec<(TermId, TermId)>) {
        let conjuncts = propagated(&mut self.program.terms, &path.record.conjuncts);
        let terms = &self.program.terms;
        let mut used: HashSet<TermId> = terms.variables_of_all(arguments).into_iter().collect();
        let plain = conjuncts.iter().filter(|conjunct| conjunct.defines.is_none());
        let plain: Vec<TermId> = plain.map(|conjunct| conjunct.formula).collect();
        used.extend(terms.variables_of_all(&plain));
        // A definition speaks of variables defined before it.
        let mut kept: Vec<&Conjunct> = Vec::new();
        for conjunct in conjuncts.iter().rev() {
            if conjunct.defines.is_none_or(|variable| used.contains(&variable)) {
                used.extend(terms.variables(conjunct.formula));
                kept.push(conjunct);
            }
        }
        let constraint = kept.iter().rev().map(|conjunct| conjunct.formula).collect();
        let definitions = path.record.definitions.iter().copied();
        (
            constraint,
            definitions.filter(|(variable, _)| used.contains(variable)).collect(),
        )
    }
}

/// Adds a conjunct; whether the path can still be.
pub(super) fn constrain(path: &mut Path, formula: TermId) -> bool {
    let known = path.record.conjuncts.iter().any(|conjunct| conjunct.formula == formula);
    if formula != TermId::TRUE && !known {
        path.record.conjuncts.push(Conjunct { formula, defines: None });
    }
    formula != TermId::FALSE
}

pub(super) fn step(place: SourcePlace, kind: StepKind) -> Step {
    Step {
        place: Place {
            span: place.span,
            function: place.function,
            instance: place.instance,
        },
        kind,
    }
}
