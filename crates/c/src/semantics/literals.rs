//! String literals: arrays of characters, filled once when the program starts.

use super::Semantics;
use crate::program::{Effect, Instruction, InstructionKind, Place, VariableRole};
use crate::syntax::{Encoding, Span};
use crate::types::{IntegerType, Length, Type};

/// Longer strings are refused where they matter: every character becomes an instruction.
const MOST_CHARACTERS: usize = 100_000;

impl Semantics<'_, '_> {
    /// The variable of a string literal.
    pub(super) fn string_literal(&mut self, characters: &[u32], encoding: Encoding, span: Span) -> Place {
        // Compilers keep one of those that are the same.
        let key = (characters.to_vec(), encoding);
        if let Some((place, position)) = self.known_literals.get(&key)
            && let Some(Instruction {
                kind: InstructionKind::Zero { target },
                ..
            }) = self.literals.get(*position)
            && target == place
        {
            return place.clone();
        }
        let element = self.character_type(encoding);
        let length = Length::Fixed(characters.len() as u64 + 1);
        let kind = self.types.intern(Type::Array(element, length));
        self.made_up += 1;
        let variable = self.add_variable(format!("string{}", self.made_up), kind, VariableRole::Literal, span);
        let place = self.variable_place(variable);
        // The final zero, and everything else that is zero.
        self.known_literals.insert(key, (place.clone(), self.literals.len()));
        let zero = InstructionKind::Zero { target: place.clone() };
        self.literals.push(Instruction { kind: zero, span });
        if characters.len() > MOST_CHARACTERS {
            let kind = InstructionKind::Unsupported {
                what: format!("a string of {} characters", characters.len()),
                effect: Effect::Changes(vec![place.clone()]),
            };
            self.literals.push(Instruction { kind, span });
            return place;
        }
        for (index, character) in characters.iter().enumerate().filter(|(_, character)| **character != 0) {
            let assignment = self.character_assignment(&place, index, *character);
            self.literals.push(Instruction { kind: assignment, span });
        }
        place
    }

    /// One character of an array gets its value.
    pub(super) fn character_assignment(&mut self, array: &Place, index: usize, character: u32) -> InstructionKind {
        let index = self.int_constant(index);
        let target = self.element_place(array.clone(), index);
        // As the literal has it: of a signed type it may be a negative number.
        let kind = self.types.integer(IntegerType::UNSIGNED_INT);
        let value = self.constant(character, kind);
        let value = self.convert(value, target.kind);
        InstructionKind::Assign { target, value }
    }
}
