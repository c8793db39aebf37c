//! Inline assembly. What the instructions of a template do is not read; but an empty template does nothing, and that is how
//! barriers are written: its operands are evaluated, and an output that shares its register with an input gets its value. Memory that
//! is both stays as it is.

use super::{Checked, Semantics, Value};
use crate::program::{Expression, ExpressionKind, InstructionKind, Numeric, Place, Reach};
use crate::syntax::{Assembly, AssemblyOperand, Span};

/// Instructions that change nothing that a program could see, whatever the registers hold.
const WITHOUT_EFFECT: &[&str] = &[
    "nop", "pause", "rep;nop", "rep; nop", "rep nop", "mfence", "lfence", "sfence", "yield",
];

/// What is known of an operand's place.
struct Output {
    place: Place,
    /// Whether the operand is read, too (`+`).
    is_read: bool,
}

impl<'a> Semantics<'a, '_> {
    /// An `asm` statement.
    pub(super) fn assembly(&mut self, assembly: &'a Assembly<'a>, span: Span) -> Checked<()> {
        let mut outputs = Vec::new();
        for operand in assembly.outputs {
            let place = self.place(operand.expression)?;
            self.mark_addressed(&place);
            let is_read = operand.constraint.contains(&u32::from(b'+'));
            outputs.push(Output { place, is_read });
        }
        let mark = self.state.graph.mark();
        let expressions: Vec<_> = assembly.inputs.iter().map(|operand| operand.expression).collect();
        let inputs = self.values_in_order(&expressions)?;
        for (input, value) in assembly.inputs.iter().zip(&inputs) {
            // Of what lies in memory, the instructions get the address.
            if !input.constraint.contains(&u32::from(b'm')) {
                self.evaluated(value.clone(), input.expression.span);
            }
        }
        for output in &mut outputs {
            output.place = self.settle_place(mark, output.place.clone(), span);
        }
        let Some(template) = assembly.template else {
            return self.anything(span);
        };
        let template: String = template.iter().filter_map(|c| char::from_u32(*c)).collect();
        let template = template.trim();
        if assembly.is_goto || !assembly.labels.is_empty() {
            return self.anything(span);
        }
        if template.is_empty() {
            return self.empty_template(assembly, outputs, inputs, span);
        }
        let clobbers_memory = assembly.clobbers.iter().any(|clobber| is_text(clobber, "memory"));
        if assembly.outputs.is_empty() && WITHOUT_EFFECT.contains(&template) {
            return Ok(());
        }
        // Without `volatile`, instructions with outputs are a function of their inputs: the compiler may leave them out.
        let is_function = assembly.is_extended && !assembly.is_volatile && !outputs.is_empty() && !clobbers_memory;
        if !is_function || inputs.iter().any(has_pointer) {
            return self.anything(span);
        }
        // An address may come out of it that went in as a number.
        let numbers = inputs
            .into_iter()
            .filter(|value| matches!(value.numeric, Numeric::Integer(_)));
        let known = InstructionKind::Expose {
            what: String::new(),
            pointers: numbers.collect(),
            reach: Reach::Nothing,
        };
        self.emit(known, span);
        let places = outputs.into_iter().map(|output| output.place).collect();
        self.emit_unsupported("inline assembly", places, span);
        Ok(())
    }

    /// `asm` outside of functions, where it may define anything.
    pub(super) fn file_assembly(&mut self, assembly: &Assembly<'a>, span: Span) {
        let is_empty = |template: &[u32]| {
            template
                .iter()
                .all(|c| char::from_u32(*c).is_some_and(char::is_whitespace))
        };
        if !assembly.template.is_some_and(is_empty) {
            let message = "assembly outside of functions cannot be translated";
            self.refuse(span, message, "it may define anything", None);
        }
    }

    fn anything(&mut self, span: Span) -> Checked<()> {
        self.emit_anything("inline assembly", span);
        Ok(())
    }

    /// No instruction: every output is what its register held before.
    fn empty_template(
        &mut self,
        assembly: &'a Assembly<'a>,
        outputs: Vec<Output>,
        inputs: Vec<Value>,
        span: Span,
    ) -> Checked<()> {
        // All registers have their values before any output gets one.
        let inputs: Vec<Value> = match outputs.len() {
            0 | 1 => inputs,
            _ => {
                let saved = inputs.into_iter().map(|value| {
                    let kind = value.c_type;
                    let place = self.saved(value, span);
                    self.typed(ExpressionKind::Read(place), kind)
                });
                saved.collect()
            }
        };
        let mut unknown = Vec::new();
        for (index, output) in outputs.into_iter().enumerate() {
            if output.is_read || stays_in_memory(assembly, index, &output.place, &inputs) {
                continue;
            }
            let tied = assembly
                .inputs
                .iter()
                .position(|input| is_tied(input, index, assembly.outputs));
            match tied.and_then(|position| inputs.get(position)) {
                Some(value) if self.fits(value, &output.place) => {
                    let value = self.convert_implicitly(value.clone(), output.place.kind, span)?;
                    self.store(output.place, value, span)?;
                }
                _ => unknown.push(output.place),
            }
        }
        if !unknown.is_empty() {
            self.emit_unsupported("inline assembly", unknown, span);
        }
        Ok(())
    }

    /// Whether a register that holds the value holds what the place takes.
    fn fits(&self, value: &Value, place: &Place) -> bool {
        let is_number = |numeric| matches!(numeric, Numeric::Integer(_) | Numeric::Pointer);
        is_number(value.numeric)
            && is_number(self.numeric(place.kind))
            && self.bit_width(place).is_none()
            && self.types.size_of(place.kind) <= self.types.size_of(value.c_type)
    }
}

fn is_text(characters: &[u32], text: &str) -> bool {
    characters.iter().copied().eq(text.chars().map(u32::from))
}

/// Whether an input says that it lies where the output does: `"0"`, `"[name]"`.
fn is_tied(input: &AssemblyOperand<'_>, index: usize, outputs: &[AssemblyOperand<'_>]) -> bool {
    let constraint: String = input.constraint.iter().filter_map(|c| char::from_u32(*c)).collect();
    let constraint = constraint.trim_start_matches('%');
    if constraint.parse() == Ok(index) {
        return true;
    }
    let name = constraint.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let output = outputs.get(index).and_then(|output| output.name);
    name.is_some() && name == output.map(|name| name.text)
}

/// Whether an output is memory that is an input as well: what is there has been stored, and stays.
fn stays_in_memory(assembly: &Assembly<'_>, index: usize, place: &Place, inputs: &[Value]) -> bool {
    let is = |operand: &AssemblyOperand<'_>, text: &str| is_text(operand.constraint, text);
    let mut given = assembly.inputs.iter().zip(inputs);
    assembly.outputs.get(index).is_some_and(|output| is(output, "=m"))
        && given
            .any(|(input, value)| is(input, "m") && matches!(&value.kind, ExpressionKind::Read(read) if read == place))
}

/// Whether a pointer is part of the value.
fn has_pointer(value: &Value) -> bool {
    fn search(value: &Expression<Place>) -> bool {
        value.numeric == Numeric::Pointer
            || match &value.kind {
                ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => search(operand),
                ExpressionKind::Binary(_, left, right) => search(left) || search(right),
                ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
                    search(condition) || search(left) || search(right)
                }
                ExpressionKind::Integer(_)
                | ExpressionKind::Floating(_)
                | ExpressionKind::FunctionAddress(_)
                | ExpressionKind::Read(_)
                | ExpressionKind::AddressOf(_) => false,
            }
    }
    search(value)
}
