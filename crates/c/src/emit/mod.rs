//! A flat program becomes rules: a predicate for each of some blocks (`blocks`), a rule for each path between them (`paths`, `calls`),
//! with names that a person recognizes (`names`), and what each rule stands for in the source map.

mod blocks;
mod calls;
mod names;
mod paths;
mod propagation;
mod refusal;
#[cfg(test)]
mod tests;

use super::Translation;
use super::arithmetic::{has_words, sort_of_numeric};
use super::assigned_anyway::assign_anyway;
use super::definedness;
use super::flat::{FlatBlockId, FlatInstructionKind, FlatProgram, FlatTerminator, FlatVariable, NO_ERROR, Note};
use super::flow::Flow;
use super::liveness::{Everything, VariableSet, live_at_start, outputs};
use super::options::{Calls, Floats, Options, Undefined};
use super::program::{Numeric, UnknownSource};
use super::ranges::{Ranges, States, block_states};
use super::simplify::{ranges_of, simplify};
use super::slicing::slice;
use super::source_map::{Place, PredicateSource, RuleSource, SharedNames, SourceMap, Step, StepKind};
use super::stacking::stack;
use super::threading::thread_decided;
use crate::diagnostics::Diagnostic;
use crate::rules::{Atom, Location, PredicateId, Program, Rule};
use crate::terms::{SortId, TermId, Terms};
use names::PredicateNames;

/// The rules of a flat program. `functions` are the names of the functions by which places speak, `locate` tells the line
/// and column of a byte.
///
/// # Errors
/// What cannot be translated, up to 20 places.
pub(crate) fn rules_of(
    mut program: FlatProgram,
    functions: &[String],
    locate: &dyn Fn(u32) -> Location,
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut notes = std::mem::take(&mut program.notes);
    if program.blocks.is_empty() {
        return Err(Vec::new());
    }
    if options.calls == Calls::OnStack {
        stack(&mut program)?;
    }
    prepare(&mut program, options);
    let (refused, is_approximable) = refusal::leave_to_runs(&mut program, options);
    if !refused.is_empty() {
        prepare(&mut program, options);
    }
    let approximations = refusal::refuse_or_approximate(&mut program, options)?;
    if !approximations.is_empty() {
        prepare(&mut program, options);
    }
    notes.extend(refusal::not_calculated(&program));
    let has_error = |block: &super::flat::FlatBlock| matches!(block.terminator, FlatTerminator::Error(_));
    let has_check = (0..program.blocks.len()).any(|block| has_check_in(&program, block, options));
    if !program.blocks.iter().any(has_error) && !has_check {
        notes.push(Note {
            text: NO_ERROR.to_string(),
            span: program.blocks[0].place.span,
        });
    }
    if options.keep_prints {
        blocks::split_behind_prints(&mut program);
    }
    let counts_objects = program.counts_objects;
    let (program, map) = Emission::new(&program, functions, locate, options).run();
    Ok(Translation {
        program,
        map,
        approximations,
        refused,
        is_approximable,
        counts_objects,
        notes,
        unchecked: None,
    })
}

/// Leaves out what nobody asked for, what has only one value, and what cannot affect the property.
fn prepare(program: &mut FlatProgram, options: &Options) {
    for block in &mut program.blocks {
        block.instructions.retain(|instruction| match instruction.kind {
            FlatInstructionKind::Print(_) => {
                options.keep_prints || definedness::instruction_has_check(instruction, options.checks)
            }
            FlatInstructionKind::Defined(_) => options.undefined == Undefined::Ends,
            _ => true,
        });
    }
    simplify(program, options);
    if !options.slice {
        return;
    }
    // What has gone may have been all that kept something else.
    for _ in 0..2 {
        slice(program, &|program, block, position| {
            is_observed(program, block, position, options)
        });
        assign_anyway(program);
        let variables = program.variables.clone();
        thread_decided(program, &ranges_of(&variables, options));
        simplify(program, options);
    }
}

/// Whether an instruction matters by itself, or the condition behind the last one.
fn is_observed(program: &FlatProgram, block: FlatBlockId, position: usize, options: &Options) -> bool {
    let block = &program.blocks[block.0 as usize];
    match (block.instructions.get(position), &block.terminator) {
        (Some(instruction), _) => {
            matches!(instruction.kind, FlatInstructionKind::Print(_))
                || definedness::instruction_has_check(instruction, options.checks)
        }
        (None, FlatTerminator::Branch { condition, .. }) => definedness::has_check(condition, options.checks),
        _ => false,
    }
}

fn has_check_in(program: &FlatProgram, block: usize, options: &Options) -> bool {
    let data = &program.blocks[block];
    let block = FlatBlockId(block as u32);
    (0..=data.instructions.len()).any(|position| match data.instructions.get(position) {
        Some(instruction) => definedness::instruction_has_check(instruction, options.checks),
        None => is_observed(program, block, position, options),
    })
}

/// Makes the rules.
struct Emission<'a> {
    source: &'a FlatProgram,
    options: &'a Options,
    functions: &'a [String],
    locate: &'a dyn Fn(u32) -> Location,
    flow: Flow,
    ranges: Ranges<'a>,
    states: States,
    /// The variables that matter at each block that becomes a predicate.
    parameters: Vec<Option<Vec<FlatVariable>>>,
    /// What each procedure hands back: more parameters of the predicates in it.
    outputs: Vec<Vec<FlatVariable>>,
    /// For each procedure, whether a call of it may reach an error.
    may_fail: Vec<bool>,
    predicates: Vec<Option<PredicateId>>,
    names: Vec<String>,
    unknown_arrays: VariableSet,
    /// Whether something is calculated bit by bit.
    has_words: bool,
    may_overflow: Vec<bool>,
    program: Program,
    map: SourceMap,
}

impl<'a> Emission<'a> {
    fn new(
        source: &'a FlatProgram,
        functions: &'a [String],
        locate: &'a dyn Fn(u32) -> Location,
        options: &'a Options,
    ) -> Emission<'a> {
        let flow = Flow::new(source);
        let ranges = Ranges::new(&source.variables, options.arithmetic);
        let states = block_states(&ranges, source, &flow);
        let observed =
            |block: FlatBlockId, position: usize| !options.slice || is_observed(source, block, position, options);
        let kept = options.keep_variables.then(|| variables_of_the_source(source));
        let purpose = Everything {
            observed: &observed,
            at_the_end: kept.as_ref(),
        };
        let live = live_at_start(source, &flow, &purpose);
        let may_fail = flow.procedures.reaching(&|block| {
            let content = &source.blocks[block.0 as usize];
            matches!(content.terminator, FlatTerminator::Error(_)) || has_check_in(source, block.0 as usize, options)
        });
        let chosen = blocks::predicates(source, &flow, &may_fail, options);
        let outputs: Vec<Vec<FlatVariable>> = flow
            .procedures
            .all
            .iter()
            .map(|procedure| outputs(source, procedure, &live).iter().collect())
            .collect();
        let entries = flow.procedures.all.iter().map(|procedure| procedure.entry);
        let starts: Vec<FlatBlockId> = std::iter::once(FlatBlockId(0)).chain(entries).collect();
        let unknown_arrays = unknown_arrays(source, starts.iter().filter_map(|start| live.get(start.0 as usize)));
        let parameters = live
            .iter()
            .zip(chosen)
            .map(|(live, chosen)| chosen.then(|| live.iter().collect()))
            .collect();
        Emission {
            options,
            functions,
            locate,
            ranges,
            states,
            parameters,
            outputs,
            may_fail,
            predicates: vec![None; source.blocks.len()],
            names: names::of_variables(source),
            unknown_arrays,
            has_words: has_words(source),
            may_overflow: definedness::may_overflow(source),
            program: Program::new(),
            map: SourceMap {
                functions: functions.to_vec(),
                predicates: vec![None, None],
                rules: Vec::new(),
                shared: SharedNames::default(),
            },
            source,
            flow,
        }
    }

    fn run(mut self) -> (Program, SourceMap) {
        let mut names = PredicateNames::default();
        let order = self.flow.order().to_vec();
        for block in &order {
            self.add_predicate(*block, &mut names);
        }
        self.add_query();
        for block in &order {
            if self.parameters[block.0 as usize].is_some() {
                self.add_rules(*block);
            }
        }
        (self.program, self.map)
    }

    fn add_predicate(&mut self, block: FlatBlockId, names: &mut PredicateNames) {
        let Some(parameters) = self.parameters[block.0 as usize].clone() else {
            return;
        };
        let data = &self.source.blocks[block.0 as usize];
        let unknown = String::from("unknown");
        let function = self.functions.get(data.place.function as usize).unwrap_or(&unknown);
        let line = (self.locate)(data.place.span.start).line;
        let name = names.name(function, data.place, line);
        let mut sorts = Vec::new();
        for parameter in &parameters {
            let sort = sort_of(self.source, *parameter, &mut self.program.terms, self.options.floats);
            sorts.push((self.names[parameter.0 as usize].clone(), sort));
        }
        let outputs = self.outputs_at(block).to_vec();
        for output in &outputs {
            let sort = sort_of(self.source, *output, &mut self.program.terms, self.options.floats);
            sorts.push((self.output_name(*output, &parameters), sort));
        }
        let sorts: Vec<(&str, SortId)> = sorts.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
        self.predicates[block.0 as usize] = Some(self.program.add_predicate(&name, None, &sorts));
        let shown = parameters.iter().chain(&outputs).map(|parameter| {
            let variable = &self.source.variables[parameter.0 as usize];
            match variable.is_array && !variable.name.ends_with(']') {
                true => format!("{}[]", variable.name),
                false => variable.name.clone(),
            }
        });
        let numerics = parameters.iter().chain(&outputs);
        let numerics = numerics.map(|parameter| self.source.variables[parameter.0 as usize].numeric);
        self.map.predicates.push(Some(PredicateSource {
            numerics: numerics.collect(),
            place: Place {
                span: data.place.span,
                function: data.place.function,
                instance: data.place.instance,
            },
            is_loop_header: self.flow.is_loop_header(block) && self.flow.procedures.at(block).is_none(),
            is_entry: self.flow.procedures.at(block).is_some(),
            variables: shown.collect(),
            outputs: outputs.len(),
        }));
    }

    /// What the procedure of a block hands back.
    fn outputs_at(&self, block: FlatBlockId) -> &[FlatVariable] {
        let procedure = self.flow.procedures.of_block(block);
        procedure.map_or(&[], |procedure| &self.outputs[procedure])
    }

    /// The name of what a variable is when the procedure returns; that of the variable itself if there is no other value.
    fn output_name(&self, variable: FlatVariable, beside: &[FlatVariable]) -> String {
        let name = &self.names[variable.0 as usize];
        match beside.contains(&variable) {
            true => format!("{name}_then"),
            false => name.clone(),
        }
    }

    /// The run starts in the first block, with any values for what is read there and was never set.
    fn add_query(&mut self) {
        let entry = FlatBlockId(0);
        let Some((predicate, parameters)) = self.predicates[0].zip(self.parameters[0].clone()) else {
            return;
        };
        let place = self.source.blocks[0].place;
        let mut source = RuleSource::default();
        let (mut constraint, mut arguments): (Vec<TermId>, Vec<TermId>) = Default::default();
        for parameter in parameters {
            let (value, range) = self.input(parameter, false);
            constraint.extend(range);
            arguments.push(value);
            let variable = &self.source.variables[parameter.0 as usize];
            source.steps.push(Step {
                place: Place {
                    span: place.span,
                    function: place.function,
                    instance: place.instance,
                },
                kind: StepKind::Input {
                    variable: variable.name.clone(),
                    source: UnknownSource::Uninitialized,
                    value,
                    numeric: variable.numeric,
                },
            });
        }
        let location = self.location(entry);
        self.program
            .add_query(constraint, Atom { predicate, arguments }, Some(location));
        self.map.rules.push(source);
    }

    fn location(&self, block: FlatBlockId) -> Location {
        (self.locate)(self.source.blocks[block.0 as usize].place.span.start)
    }

    /// A variable for an unknown value, and what is known of it.
    fn input(&mut self, variable: FlatVariable, is_known: bool) -> (TermId, Vec<TermId>) {
        let name = &self.names[variable.0 as usize];
        // Beside the value that it had before, the new one needs a name of its own.
        let name = if is_known { format!("{name}_new") } else { name.clone() };
        let sort = sort_of(self.source, variable, &mut self.program.terms, self.options.floats);
        let value = self.program.terms.fresh_variable(&name, sort);
        let info = &self.source.variables[variable.0 as usize];
        if info.is_array {
            return (value, Vec::new());
        }
        let is_unknown = |_| true;
        let range = self.rules(&is_unknown).input_range(info.numeric);
        let terms = &mut self.program.terms;
        let mut bounds = Vec::new();
        if let Some(range) = range {
            if let Some(low) = range.low {
                let low = terms.integer(low);
                bounds.push(terms.less_or_equal(low, value));
            }
            if let Some(high) = range.high {
                let high = terms.integer(high);
                bounds.push(terms.less_or_equal(value, high));
            }
        }
        (value, bounds)
    }

    fn add_rule(&mut self, rule: Rule, source: RuleSource) {
        self.program.add_rule(rule);
        self.map.rules.push(source);
    }
}

/// The numbers that have a name in the source and are read somewhere: parameters that nobody reads only copy others.
fn variables_of_the_source(source: &FlatProgram) -> VariableSet {
    let mut read = VariableSet::new(source);
    for block in &source.blocks {
        let instructions = block
            .instructions
            .iter()
            .flat_map(|instruction| instruction.expressions());
        for expression in instructions.chain(block.terminator.expressions()) {
            expression.for_each_variable(&mut |variable| read.insert(variable));
        }
    }
    for (index, variable) in source.variables.iter().enumerate() {
        // Of `stdin`, `stdout` and other global pointers nothing is to be inferred, and whatever else is said would speak of them, too.
        let is_global_pointer = variable.is_global && variable.numeric == Numeric::Pointer;
        if variable.is_array || variable.is_temporary || is_global_pointer {
            read.remove(FlatVariable(index as u32));
        }
    }
    read
}

/// The sort of a variable's terms.
fn sort_of(source: &FlatProgram, variable: FlatVariable, terms: &mut Terms, floats: Floats) -> SortId {
    let variable = &source.variables[variable.0 as usize];
    let sort = sort_of_numeric(terms, variable.numeric, floats);
    match variable.is_array {
        true => terms.array_sort(SortId::INT, sort),
        false => sort,
    }
}

/// The arrays that may have elements of which nothing has been said.
fn unknown_arrays<'l>(source: &FlatProgram, live_at_starts: impl Iterator<Item = &'l VariableSet>) -> VariableSet {
    let mut unknown = VariableSet::new(source);
    for live in live_at_starts {
        unknown.extend(live);
    }
    let instructions = || source.blocks.iter().flat_map(|block| &block.instructions);
    for instruction in instructions() {
        match &instruction.kind {
            FlatInstructionKind::Unknown(variable, _) => unknown.insert(*variable),
            FlatInstructionKind::Unsupported { effect, .. } => {
                effect.changes().iter().for_each(|variable| unknown.insert(*variable));
            }
            _ => {}
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for instruction in instructions() {
            if let FlatInstructionKind::CopyArray { target, source } = &instruction.kind
                && unknown.contains(*source)
                && !unknown.contains(*target)
            {
                unknown.insert(*target);
                changed = true;
            }
        }
    }
    unknown
}
