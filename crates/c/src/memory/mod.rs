//! Objects become variables and pointers become numbers: the inlined program becomes flat.
//!
//! Each scalar leaf of an object has a variable: a scalar one if there is no array on the path to it, else an array over the
//! linearized index. A pointer is the number of the location it points to plus the index of the element ([`layout`]). What a
//! pointer may point to is known from the [points-to analysis](super::points_to): following it reads the one leaf, or decides
//! by the address between several. An access at a type that the memory does not have is not supported, unless the object is one
//! that is seen as bytes ([`views`]), and only some arithmetic on addresses is ([`bytes`]).

mod access;
mod aggregates;
mod bits;
mod bounds;
pub(super) mod build;
mod bytes;
mod checks;
mod conversions;
mod exposure;
mod expressions;
mod guards;
mod heap;
mod initialized;
mod instructions;
mod layout;
mod lifetime;
mod meeting;
mod moving;
mod names;
mod overlays;
mod pointers;
mod questions;
mod rounding;
mod scalars;
mod spreading;
mod texts;
mod unions;
mod untested;
mod untranslated;
mod validity;
mod view_copies;
mod view_limits;
mod views;
mod writes;

use super::flat::{
    Failure, FlatBlock, FlatBlockId, FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator,
    FlatVariable, SourcePlace,
};
use super::inline::{self, Inlined};
use super::options::{Options, Undefined};
use super::orders;
use super::points_to::locations::LocationId;
use super::points_to::viewed::{BYTE, Viewed};
use super::points_to::{Members, Mixing, PointsTo};
use super::program::{BinaryOperator, BlockId, Effect, Function, Numeric, Program, Terminator};
use super::syntax::Span;
use super::types::{RecordId, Types};
use crate::diagnostics::Diagnostic;
use guards::Guard;
use hashbrown::{HashMap, HashSet};
use layout::Layout;
use lifetime::Ghosts;
use overlays::Overlays;
use std::collections::{BTreeMap, BTreeSet};
use validity::Validity;
use views::Views;
pub(crate) use views::flatten_as_bytes;

/// Makes a program flat: without calls, pointers and structs.
///
/// # Errors
/// The program is larger than the options allow once its calls are inlined.
pub fn flatten(program: &Program, options: &Options) -> Result<FlatProgram, Vec<Diagnostic>> {
    flatten_with(program, options, None).map(|(flat, _)| flat)
}

/// Flattens a program in which these objects are seen as bytes.
fn flatten_with(
    program: &Program,
    options: &Options,
    viewed: Option<&Viewed>,
) -> Result<(FlatProgram, Views), Vec<Diagnostic>> {
    let mut program = program.clone();
    if viewed.is_some() {
        program.types.integer(BYTE);
    }
    let mut called = heap::analyze(&mut program, false, Members::default());
    let has_marks = orders::settle(&mut program, &called);
    if texts::settle(&mut program, &called) || has_marks {
        called = heap::analyze(&mut program, false, Members::default());
    }
    let (flat, views, is_confused) = flattened(&program, &called, options, false, viewed)?;
    if !is_confused {
        return Ok((flat, views));
    }
    // Integers and pointers of unions are different things here: their tags say which of them it is.
    flattened(&program, &called, options, true, viewed).map(|(flat, views, _)| (flat, views))
}

/// The flat program, with pointers and integers at one place of a union as one number or apart; what is found out about
/// objects that are seen as bytes, and whether calculations are refused because pointers and integers are one.
fn flattened(
    program: &Program,
    called: &PointsTo,
    options: &Options,
    is_apart: bool,
    viewed: Option<&Viewed>,
) -> Result<(FlatProgram, Views, bool), Vec<Diagnostic>> {
    let mut boxed = BTreeSet::new();
    let mut mixed = BTreeSet::new();
    let (mut inlined, mut points_to) = loop {
        let mut inlined = inline::inline(program, called, &boxed, options)?;
        let points_to = analyze(&mut inlined, &mut mixed, is_apart, None, options);
        let escaping = inline::escaping(&inlined, &points_to);
        // A variable is boxed only once, so this ends.
        if escaping.is_subset(&boxed) {
            break (inlined, points_to);
        }
        boxed.extend(escaping);
    };
    if viewed.is_some_and(|viewed| !viewed.is_empty()) {
        points_to = analyze(&mut inlined, &mut mixed, is_apart, viewed, options);
    }
    untested::succeed(&mut inlined, &points_to, options);
    let mut lowering = Lowering::new(&inlined, &points_to, options);
    lowering.is_viewing = viewed.is_some();
    lowering.run();
    let Lowering {
        mut layout,
        mut flat,
        allocated,
        wanted,
        ..
    } = lowering;
    let unfit = view_limits::unfit(&inlined, &points_to);
    flat.counts_objects = !allocated.is_empty();
    names::assign(&mut layout, program, &inlined);
    flat.variables = layout.variables;
    scalars::replace(&mut flat, &layout.lengths);
    flat.notes = inlined.notes.clone();
    let is_library = |(number, function): (usize, &Function)| {
        let number = u32::try_from(number).ok()?;
        (function.span.start >= program.end).then_some(number)
    };
    flat.library = program.functions.iter().enumerate().filter_map(is_library).collect();
    let is_confused = points_to.locations.has_pointers_as_numbers && calculates_with_addresses(&flat);
    Ok((flat, Views { wanted, unfit }, is_confused))
}

/// Whether a calculation is refused because an operand may be an address.
fn calculates_with_addresses(flat: &FlatProgram) -> bool {
    let mut instructions = flat.blocks.iter().flat_map(|block| &block.instructions);
    instructions.any(|instruction| {
        matches!(&instruction.kind, FlatInstructionKind::Unsupported { what, .. } if what == bytes::CALCULATION)
    })
}

/// The points-to analysis of the inlined program. What is read of unions that are not followed may be parts of addresses there:
/// their types are added to `mixed`.
fn analyze(
    inlined: &mut Inlined,
    mixed: &mut BTreeSet<RecordId>,
    is_apart: bool,
    viewed: Option<&Viewed>,
    options: &Options,
) -> PointsTo {
    loop {
        let members = Members {
            mixing: Mixing::Only(mixed),
            is_apart,
            viewed,
        };
        let points_to = heap::analyze(&mut inlined.program, true, members);
        let (conflicting, _) = unions_of(inlined, &points_to, options);
        let unfollowed = unions::unfollowed(&inlined.program.types, &points_to.locations, &conflicting);
        // A type is added only once, so this ends.
        if unfollowed.is_subset(mixed) {
            return points_to;
        }
        mixed.extend(unfollowed);
    }
}

fn unions_of(inlined: &Inlined, points_to: &PointsTo, options: &Options) -> (HashSet<LocationId>, Overlays) {
    let follow = options.arithmetic.is_machine() && !options.checks.uninitialized;
    let happens = options.undefined == Undefined::Ends;
    unions::conflicting(inlined, points_to, (happens, follow), options.floats)
}

/// The conditions under which an expression is evaluated at all: the right side of `&&`, a branch of `?:`.
#[derive(Clone, Copy)]
enum Context<'c> {
    Always,
    When(&'c Context<'c>, &'c FlatExpression, bool),
}

impl Context<'_> {
    /// The condition, or that the expression is not evaluated.
    fn if_evaluated(&self, mut condition: FlatExpression) -> FlatExpression {
        let mut context = self;
        while let Context::When(outer, decides, holds) = context {
            let escape = match holds {
                true => build::not((*decides).clone()),
                false => (*decides).clone(),
            };
            condition = build::or(escape, condition);
            context = outer;
        }
        condition
    }
}

struct Lowering<'i> {
    inlined: &'i Inlined,
    types: &'i Types,
    points_to: &'i PointsTo,
    options: &'i Options,
    layout: Layout<'i>,
    flat: FlatProgram,
    /// The block that instructions are added to, and where they come from.
    current: FlatBlockId,
    place: SourcePlace,
    /// Where the part of it is written that is being lowered, if that is known.
    written: Option<Span>,
    /// The guards in this block that still hold, so that none is there twice.
    guards: Vec<Guard>,
    /// Allocations by block and index.
    sites: HashMap<(usize, usize), usize>,
    /// For each allocation whose size is not fixed, how many elements there are by now.
    allocated: HashMap<usize, FlatVariable>,
    /// For each allocation that is repeated and moved, the numbers of elements by the first of them.
    sizes: BTreeMap<usize, FlatVariable>,
    /// Members of unions that are read although others are written.
    conflicting: HashSet<LocationId>,
    /// Unions in which they may be.
    overlays: Overlays,
    /// Which of their numbers can be read.
    validity: Validity,
    /// Where any leaf of some objects may change, to be filled in when all leaves are known.
    deferred: Vec<exposure::Change>,
    /// Where what other files have changes.
    others_change: Vec<(FlatBlockId, usize, SourcePlace)>,
    /// What checks keep track of.
    ghosts: Ghosts,
    /// Locations to which moved pointers point, once somebody asks.
    moved: Option<HashSet<LocationId>>,
    /// How many targets the pointers followed so far have.
    alternatives: usize,
    /// Objects that should be seen as bytes, and whether anybody asks.
    wanted: Viewed,
    is_viewing: bool,
}

impl<'i> Lowering<'i> {
    fn new(inlined: &'i Inlined, points_to: &'i PointsTo, options: &'i Options) -> Lowering<'i> {
        let mut sites = HashMap::new();
        for (index, site) in points_to.locations.sites.iter().enumerate() {
            let (_, block, instruction) = site.position;
            sites.insert((block, instruction), index);
        }
        let (conflicting, overlays) = unions_of(inlined, points_to, options);
        Lowering {
            inlined,
            types: &inlined.program.types,
            points_to,
            options,
            layout: Layout::new(inlined, points_to, options.checks.accesses()),
            flat: FlatProgram::default(),
            current: FlatBlockId(0),
            place: SourcePlace {
                span: Span { start: 0, end: 0 },
                function: 0,
                instance: 0,
            },
            written: None,
            guards: Vec::new(),
            sites,
            allocated: HashMap::new(),
            sizes: BTreeMap::new(),
            conflicting,
            overlays,
            validity: Validity::default(),
            deferred: Vec::new(),
            others_change: Vec::new(),
            ghosts: Ghosts::new(inlined, points_to, options),
            moved: None,
            alternatives: 0,
            wanted: Viewed::default(),
            is_viewing: false,
        }
    }

    fn run(&mut self) {
        let blocks = self.inlined.blocks();
        for (block, owner) in blocks.iter().zip(&self.inlined.owners) {
            self.flat.blocks.push(FlatBlock {
                instructions: Vec::new(),
                terminator: FlatTerminator::Stop,
                place: SourcePlace {
                    span: block.span,
                    function: owner.function,
                    instance: owner.instance,
                },
                label: block.label.clone(),
            });
        }
        let entries = self.inlined.entries.iter().zip(0u32..);
        let entries: HashMap<usize, u32> = entries.map(|(entry, number)| (entry.0 as usize, number)).collect();
        for (index, block) in blocks.iter().enumerate() {
            self.current = FlatBlockId(index as u32);
            self.guards.clear();
            let owner = self.inlined.owners[index];
            self.place.function = owner.function;
            self.place.instance = owner.instance;
            if index == 0 {
                self.place.span = block.span;
                self.prepare_heap();
                self.prepare_sizes();
                self.prepare_ghosts();
                self.prepare_validity();
                self.prepare_lives(None);
            } else if let Some(activation) = entries.get(&index) {
                self.place.span = block.span;
                self.prepare_lives(Some(*activation));
            }
            for (position, instruction) in block.instructions.iter().enumerate() {
                self.place.span = instruction.span;
                if self.options.undefined == Undefined::Ends && self.exceeds_objects(&block.instructions[position..]) {
                    self.push(FlatInstructionKind::Assume(build::truth(false)));
                }
                let site = self.sites.get(&(index, position)).copied();
                self.instruction(&instruction.kind, site);
            }
            self.place.span = block.span;
            self.terminator(&block.terminator);
        }
        let mut any_values = Vec::new();
        for mut change in std::mem::take(&mut self.deferred) {
            any_values.extend(self.any_values(&mut change));
            let (block, index, objects) = (change.block, change.index, change.objects);
            // Of what nobody knows, nobody knows which member it was written to, nor whether it was.
            let flags: Vec<_> = objects.iter().flat_map(|object| self.flags_of(*object)).collect();
            let instruction = &mut self.flat.blocks[block.0 as usize].instructions[index];
            if let FlatInstructionKind::Unsupported {
                effect: Effect::Changes(changes),
                ..
            } = &mut instruction.kind
            {
                for object in objects {
                    changes.extend(self.layout.variables_of(object));
                }
                changes.extend(flags);
            }
        }
        self.add_changes_of_others(any_values);
    }

    fn push(&mut self, kind: FlatInstructionKind) {
        if !self.guards.is_empty() {
            if matches!(
                kind,
                FlatInstructionKind::Unsupported {
                    effect: Effect::Anything,
                    ..
                }
            ) {
                self.guards.clear();
            }
            self.forget_guards(kind.changes());
        }
        let place = self.place;
        let block = &mut self.flat.blocks[self.current.0 as usize];
        block.instructions.push(FlatInstruction { kind, place });
    }

    fn add_block(&mut self, terminator: FlatTerminator) -> FlatBlockId {
        self.flat.blocks.push(FlatBlock {
            instructions: Vec::new(),
            terminator,
            place: self.place,
            label: None,
        });
        FlatBlockId(self.flat.blocks.len() as u32 - 1)
    }

    fn end(&mut self, terminator: FlatTerminator) {
        self.flat.blocks[self.current.0 as usize].terminator = terminator;
    }

    fn terminator(&mut self, terminator: &Terminator) {
        let flat = |block: &BlockId| FlatBlockId(block.0);
        let ended = match terminator {
            Terminator::Goto(to) => FlatTerminator::Goto(flat(to)),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => FlatTerminator::Branch {
                condition: self.expression(condition, Context::Always),
                then: flat(then),
                otherwise: flat(otherwise),
            },
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.expression(value, Context::Always);
                let value = self.small(value, Context::Always, "switch");
                for (low, high, to) in cases {
                    let bound = |bound| build::integer(bound, value.numeric, value.c_type);
                    let condition = match low == high {
                        true => build::compare(BinaryOperator::Equal, value.clone(), bound(low.clone())),
                        false => build::and(
                            build::compare(BinaryOperator::LessOrEqual, bound(low.clone()), value.clone()),
                            build::compare(BinaryOperator::LessOrEqual, value.clone(), bound(high.clone())),
                        ),
                    };
                    let next = self.add_block(FlatTerminator::Stop);
                    self.end(FlatTerminator::Branch {
                        condition,
                        then: flat(to),
                        otherwise: next,
                    });
                    self.current = next;
                }
                FlatTerminator::Goto(flat(otherwise))
            }
            Terminator::Call { entry, after } => FlatTerminator::Call {
                entry: flat(entry),
                after: flat(after),
            },
            Terminator::Return => FlatTerminator::Return,
            Terminator::Stop => FlatTerminator::Stop,
            Terminator::Error(kind) => FlatTerminator::Error(Failure::of(*kind)),
        };
        // Behind a guard the block is another one, which began with an instruction.
        self.flat.blocks[self.current.0 as usize].place = self.place;
        self.end(ended);
    }

    /// A new variable with the value, for it to be read more than once.
    pub(super) fn hoisted(&mut self, value: FlatExpression, context: Context<'_>, name: &str) -> FlatExpression {
        let (numeric, c_type) = (value.numeric, value.c_type);
        let temporary = self.layout.temporary(name, numeric);
        let mut value = value;
        let mut context = &context;
        while let Context::When(outer, decides, holds) = context {
            let other = match numeric {
                Numeric::Floating(_) => break,
                _ => build::integer(0.into(), numeric, c_type),
            };
            value = match holds {
                true => build::conditional((*decides).clone(), value, other),
                false => build::conditional((*decides).clone(), other, value),
            };
            context = outer;
        }
        self.push(FlatInstructionKind::Assign(temporary, value));
        build::variable(temporary, numeric, c_type)
    }

    /// The value itself if it may be written several times, else a variable with it.
    fn small(&mut self, value: FlatExpression, context: Context<'_>, name: &str) -> FlatExpression {
        match build::is_small(&value) {
            true => value,
            false => self.hoisted(value, context, name),
        }
    }
}

#[cfg(test)]
mod tests;
