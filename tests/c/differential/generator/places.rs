//! Places in memory that a program can read, write, and take the address of.

use super::expressions::Expression;
use super::types::{INT, Integer, Type, UNSIGNED};
use super::{Generator, Variable};

/// A place with an integer.
pub struct Place {
    pub text: String,
    /// How tightly its text binds.
    pub binding: u8,
    pub kind: Integer,
    /// Its width, if it is a bit-field.
    pub width: Option<u32>,
    /// Whether it is a variable by its name.
    pub is_plain: bool,
}

impl Place {
    /// What reading it gives.
    pub fn read(self) -> Expression {
        // A bit-field is promoted by its width.
        let kind = match self.width {
            Some(width) if width < 32 => INT,
            _ => self.kind,
        };
        Expression {
            text: self.text,
            binding: self.binding,
            kind,
        }
    }
}

/// What is done with a place.
#[derive(Clone, Copy, PartialEq)]
pub enum Access {
    Read,
    Write,
}

impl Generator {
    /// The integer type that an enumeration has.
    pub fn enumeration_type(&self, index: usize) -> Integer {
        if self.enumerations[index].negative {
            INT
        } else {
            UNSIGNED
        }
    }

    pub fn integer_of(&self, kind: &Type) -> Option<Integer> {
        match kind {
            Type::Integer(integer) => Some(*integer),
            Type::Enumeration(index) => Some(self.enumeration_type(*index)),
            _ => None,
        }
    }

    /// A place with an integer, if there is one.
    pub fn place(&mut self, access: Access) -> Option<Place> {
        let variables: Vec<Variable> = self
            .variables
            .iter()
            .filter(|variable| {
                access == Access::Read || (variable.writable && !(self.frame.pure && variable.life == 0))
            })
            .cloned()
            .collect();
        // Variables of inner blocks more often: there are fewer of them.
        for _ in 0..6 {
            let first = if self.random.percent(50) {
                variables.len() / 2
            } else {
                0
            };
            let Some(variable) = self.choose(&variables[first..]) else {
                continue;
            };
            let is_plain = self.integer_of(&variable.kind).is_some();
            if let Some(mut place) = self.walk(variable.name, 16, &variable.kind, access) {
                place.is_plain = is_plain;
                return Some(place);
            }
        }
        None
    }

    /// From a place of any type to one of an integer in it.
    fn walk(&mut self, text: String, binding: u8, kind: &Type, access: Access) -> Option<Place> {
        match kind {
            Type::Integer(_) | Type::Enumeration(_) => Some(Place {
                text,
                binding,
                kind: self.integer_of(kind)?,
                width: None,
                is_plain: false,
            }),
            Type::Record(index) => self.walk_field(format!("{text}."), *index, access),
            Type::Array(element, length) => {
                let index = self.index(*length);
                self.walk(format!("{text}[{index}]"), 15, element, access)
            }
            Type::Pointer {
                target,
                elements,
                constant,
            } => {
                if access == Access::Write && (*constant || self.frame.pure) {
                    return None;
                }
                if let Type::Record(index) = **target
                    && *elements == 1
                    && self.random.percent(80)
                {
                    return self.walk_field(format!("{text}->"), index, access);
                }
                if *elements == 1 && self.random.percent(85) {
                    let starred = format!("*{text}");
                    return match **target {
                        Type::Integer(_) | Type::Enumeration(_) => self.walk(starred, 14, target, access),
                        _ => self.walk(format!("({starred})"), 16, target, access),
                    };
                }
                let index = self.index(*elements);
                match self.random.between(1, 5) {
                    1 => self.walk(format!("(*({text} + {index}))"), 16, target, access),
                    _ => self.walk(format!("{text}[{index}]"), 15, target, access),
                }
            }
        }
    }

    fn walk_field(&mut self, prefix: String, record: usize, access: Access) -> Option<Place> {
        let fields = self.records[record].fields.clone();
        let field = self.choose(&fields)?;
        let mut place = self.walk(format!("{prefix}{}", field.name), 15, &field.kind, access)?;
        place.width = place.width.or(field.width);
        Some(place)
    }

    /// An index into an array of this length; it binds like a sum at least.
    pub fn index(&mut self, length: usize) -> String {
        if self.depth == 0 {
            return self.random.between(0, length as i64 - 1).to_string();
        }
        let counters: Vec<String> = self
            .variables
            .iter()
            .filter(|variable| variable.bound.is_some_and(|bound| bound <= length))
            .map(|variable| variable.name.clone())
            .collect();
        match self.random.between(1, 10) {
            1..=5 if !counters.is_empty() => self.choose(&counters).unwrap_or_default(),
            6 if !counters.is_empty() => {
                let counter = self.choose(&counters).unwrap_or_default();
                format!("{} - {counter}", length - 1)
            }
            7 if length.is_power_of_two() && length > 1 => {
                let value = self.leaf();
                format!("({} & {})", value.operand(8), length - 1)
            }
            8 => {
                let value = self.leaf();
                format!("(unsigned char) {} % {length}", value.operand(14))
            }
            9 => {
                let value = self.leaf();
                format!("{} % {length}u", value.cast("unsigned int").operand(13))
            }
            _ => self.random.between(0, length as i64 - 1).to_string(),
        }
    }

    /// Addresses of `elements` things of this type that live as long as a variable of this life.
    pub fn addresses(&mut self, target: &Type, elements: usize, life: usize) -> Vec<String> {
        let mut found = Vec::new();
        for variable in self.variables.clone() {
            if variable.life > life {
                continue;
            }
            // Outside functions only constants are allowed.
            if self.depth > 0
                && let Type::Pointer {
                    target: other,
                    elements: others,
                    constant: false,
                } = &variable.kind
                && **other == *target
                && *others >= elements
            {
                let moved = others - elements;
                found.push(match moved {
                    0 => variable.name.clone(),
                    _ => format!("{} + {}", variable.name, self.random.between(0, moved as i64)),
                });
            }
            if variable.addressable {
                self.addresses_in(variable.name, &variable.kind, target, elements, &mut found);
            }
        }
        found
    }

    fn addresses_in(&mut self, text: String, kind: &Type, target: &Type, elements: usize, found: &mut Vec<String>) {
        if kind == target && elements == 1 {
            found.push(format!("&{text}"));
        }
        match kind {
            Type::Array(element, length) => {
                if **element == *target && *length >= elements {
                    let moved = (length - elements) as i64;
                    found.push(match self.random.between(0, moved) {
                        0 => text,
                        moved if self.random.percent(50) => format!("{text} + {moved}"),
                        moved => format!("&{text}[{moved}]"),
                    });
                } else {
                    let index = self.index(*length);
                    self.addresses_in(format!("{text}[{index}]"), element, target, elements, found);
                }
            }
            Type::Record(index) => {
                for field in self.records[*index].fields.clone() {
                    if field.width.is_none() {
                        self.addresses_in(format!("{text}.{}", field.name), &field.kind, target, elements, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// An address of `elements` things of this type that lives long enough: one, or one of two.
    pub fn address(&mut self, target: &Type, elements: usize, life: usize) -> Option<String> {
        let found = self.addresses(target, elements, life);
        let one = self.choose(&found)?;
        if found.len() > 1 && self.random.percent(40) {
            let other = self.choose(&found)?;
            let condition = self.condition(1).operand(4);
            return Some(format!("{condition} ? {one} : {other}"));
        }
        Some(one)
    }
}
