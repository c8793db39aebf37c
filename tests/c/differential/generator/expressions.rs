//! Expressions without side effects.

use super::super::inputs::OPAQUE;
use super::Generator;
use super::places::Access;
use super::types::{BOOL, CHAR, INT, INTEGERS, Integer, LONG_LONG, Type, UNSIGNED, UNSIGNED_LONG};

/// An expression.
#[derive(Clone)]
pub struct Expression {
    pub text: String,
    /// How tightly its outermost operator binds: 1 for a comma to 16 for a name.
    pub binding: u8,
    /// The type of its value.
    pub kind: Integer,
}

/// The text as gcc is not to see through it.
fn hidden(text: &str) -> String {
    format!("{}{text}{}", OPAQUE[0], OPAQUE[1])
}

impl Expression {
    /// One with an operator whose result may be too large.
    fn opaque(text: &str, binding: u8, kind: Integer) -> Expression {
        let text = match kind.signed && kind.bits >= 32 {
            true => hidden(text),
            false => text.to_string(),
        };
        Expression::new(text, binding, kind)
    }

    /// One with an operator.
    pub fn new(text: String, binding: u8, kind: Integer) -> Expression {
        Expression { text, binding, kind }
    }

    /// Its text as the operand of an operator: in parentheses if it does not bind as tightly.
    pub fn operand(&self, binding: u8) -> String {
        if self.binding < binding {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }

    /// It as a value of another type.
    pub fn cast(&self, kind: &'static str) -> Expression {
        let number = INTEGERS
            .iter()
            .find(|integer| integer.name == kind)
            .copied()
            .unwrap_or(INT);
        Expression::new(format!("({kind}) {}", self.operand(14)), 14, number)
    }
}

impl Generator {
    /// An expression of about this depth.
    pub fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.percent(20) {
            return self.leaf();
        }
        let mut made = match self.random.between(1, 100) {
            1..=34 => self.arithmetic(depth - 1),
            35..=46 => self.bits(depth - 1),
            47..=54 => self.shift(depth - 1),
            55..=62 => self.division(depth - 1),
            63..=72 => self.condition(depth - 1),
            73..=79 => self.choice(depth - 1),
            80..=86 => self.unary(depth - 1),
            87..=94 => self.any_cast(depth - 1),
            _ => match self.pure_call(depth - 1) {
                Some(call) => call,
                None => self.leaf(),
            },
        };
        if self.random.percent(8) && made.binding < 16 {
            made = Expression::new(format!("({})", made.text), 16, made.kind);
        }
        made
    }

    /// An expression without operators.
    pub fn leaf(&mut self) -> Expression {
        match self.random.between(1, 100) {
            1..=65 => match self.place(Access::Read) {
                Some(place) => place.read(),
                None => self.literal(),
            },
            66..=70 if !self.enumerations.is_empty() => self.enumerator(),
            71..=72 => self.size(),
            _ => self.literal(),
        }
    }

    fn enumerator(&mut self) -> Expression {
        let values: Vec<String> = self.enumerations.iter().flat_map(|one| one.values.clone()).collect();
        match self.choose(&values) {
            Some(name) => Expression::new(name, 16, INT),
            None => self.literal(),
        }
    }

    fn size(&mut self) -> Expression {
        let names: Vec<String> = self.variables.iter().map(|variable| variable.name.clone()).collect();
        let text = match self.choose(&names) {
            Some(name) if self.random.percent(50) => format!("sizeof {name}"),
            _ => format!("sizeof({})", self.integer().name),
        };
        Expression::new(text, 14, UNSIGNED_LONG)
    }

    /// An integer type.
    pub fn integer(&mut self) -> Integer {
        self.choose(&INTEGERS).unwrap_or(INT)
    }

    /// A number, in one of the ways to write it.
    pub fn literal(&mut self) -> Expression {
        let small = self.random.between(0, 20);
        let (text, kind) = match self.random.between(1, 40) {
            1 => (format!("{small}u"), UNSIGNED),
            2 => (format!("{small}L"), LONG_LONG),
            3 => (format!("{small}ULL"), UNSIGNED_LONG),
            4 => (format!("0x{small:x}"), INT),
            5 => (format!("0{small:o}"), INT),
            6 => (format!("'{}'", (b'a' + small as u8) as char), INT),
            7 => (
                self.random
                    .pick(&["'\\n'", "'\\0'", "'\\x41'", "'\\\\'", "'\\377'"])
                    .to_string(),
                INT,
            ),
            8 => self.large(),
            9 => (self.random.between(21, 300).to_string(), INT),
            10 => (self.random.between(301, 70_000).to_string(), INT),
            11..=15 => return Expression::new(format!("-{small}"), 14, INT),
            _ => (small.to_string(), INT),
        };
        Expression::new(text, 16, kind)
    }

    /// Numbers at the edges of types, whose own types depend on how they are written.
    fn large(&mut self) -> (String, Integer) {
        let edges: [(&str, Integer); 12] = [
            ("2147483647", INT),
            ("2147483648", LONG_LONG),
            ("0x7fffffff", INT),
            ("0x80000000", UNSIGNED),
            ("0xffffffff", UNSIGNED),
            ("4294967295U", UNSIGNED),
            ("4294967296", LONG_LONG),
            ("037777777777", UNSIGNED),
            ("0x7fffffffffffffff", LONG_LONG),
            ("0xffffffffffffffff", UNSIGNED_LONG),
            ("65535", INT),
            ("32768", INT),
        ];
        let (text, kind) = self.choose(&edges).unwrap_or(edges[0]);
        (text.to_string(), kind)
    }

    /// The same with a small value, mostly, so that what is made of it is not too large for its type.
    fn small(&mut self, value: Expression) -> Expression {
        let divisor = self.random.between(5, 1_000);
        match self.random.between(1, 3) {
            _ if !value.kind.signed || value.kind.bits < 32 => value,
            1 => {
                let mask = self.random.pick(&["7", "15", "0xff", "1023"]);
                Expression::new(format!("{} & {mask}", value.operand(9)), 8, value.kind)
            }
            _ => Expression::new(format!("{} % {divisor}", value.operand(13)), 13, value.kind),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Expression {
        let (mut left, mut right) = (self.expression(depth), self.expression(depth));
        let (operator, binding) = *self.choose(&[("+", 12), ("-", 12), ("*", 13)]).get_or_insert(("+", 12));
        let kind = left.kind.common(right.kind);
        if kind.signed {
            match operator {
                "*" if self.random.percent(20) => left = left.cast("unsigned int"),
                "*" => {
                    left = self.small(left);
                    right = self.small(right);
                }
                _ if depth > 0 && self.random.percent(45) => {
                    left = self.small(left);
                    right = self.small(right);
                }
                _ => {}
            }
        }
        let kind = left.kind.common(right.kind);
        let text = format!(
            "{} {operator} {}",
            hidden(&left.operand(binding)),
            right.operand(binding + 1)
        );
        Expression::opaque(&text, binding, kind)
    }

    fn bits(&mut self, depth: usize) -> Expression {
        let (left, right) = (self.expression(depth), self.expression(depth));
        let (operator, binding) = self.choose(&[("&", 8), ("|", 6), ("^", 7)]).unwrap_or(("&", 8));
        let text = format!("{} {operator} {}", left.operand(binding), right.operand(binding + 1));
        Expression::new(text, binding, left.kind.common(right.kind))
    }

    fn shift(&mut self, depth: usize) -> Expression {
        let mut value = self.expression(depth);
        let amount = match self.random.between(1, 20) {
            1..=12 => Expression::new(self.random.between(0, 12).to_string(), 16, INT),
            13 => self.leaf(),
            _ => {
                let amount = self.leaf();
                let mask = self.random.pick(&["7", "15", "31"]);
                Expression::new(format!("{} & {mask}", amount.operand(8)), 8, amount.kind)
            }
        };
        let left = self.random.percent(45);
        if left && value.kind.promoted().signed && self.random.percent(85) {
            value = match self.random.between(1, 3) {
                1 => value.cast("unsigned int"),
                2 => value.cast("unsigned long long"),
                _ => Expression::new(format!("{} & 1023", value.operand(8)), 8, value.kind.promoted()),
            };
        }
        let operator = if left { "<<" } else { ">>" };
        let text = format!("{} {operator} {}", hidden(&value.operand(11)), amount.operand(12));
        Expression::opaque(&text, 11, value.kind.promoted())
    }

    /// A divisor that is not zero, nearly always.
    pub fn divisor(&mut self, depth: usize) -> Expression {
        match self.random.between(1, 40) {
            1 => self.leaf(),
            2..=12 => {
                let value = self.expression(depth);
                Expression::new(format!("{} | 1", value.operand(6)), 6, value.kind.promoted())
            }
            13..=16 => {
                let value = self.leaf();
                Expression::new(format!("{} % 7 + 8", value.operand(13)), 12, value.kind.promoted())
            }
            17 => Expression::new(format!("-{}", self.random.between(1, 9)), 14, INT),
            _ => Expression::new(self.random.between(1, 30).to_string(), 16, INT),
        }
    }

    fn division(&mut self, depth: usize) -> Expression {
        let (left, right) = (self.expression(depth), self.divisor(depth));
        let operator = self.random.pick(&["/", "%"]);
        let text = format!("{} {operator} {}", hidden(&left.operand(13)), right.operand(14));
        Expression::opaque(&text, 13, left.kind.common(right.kind))
    }

    /// Something that is 0 or 1, mostly.
    pub fn condition(&mut self, depth: usize) -> Expression {
        let below = depth.saturating_sub(1);
        match self.random.between(1, 20) {
            1..=2 if depth > 0 => {
                let (left, right) = (self.condition(below), self.condition(below));
                Expression::new(format!("{} && {}", left.operand(5), right.operand(6)), 5, INT)
            }
            3..=4 if depth > 0 => {
                let (left, right) = (self.condition(below), self.condition(below));
                Expression::new(format!("{} || {}", left.operand(4), right.operand(5)), 4, INT)
            }
            5 => {
                let value = self.expression(below);
                Expression::new(format!("!{}", value.operand(14)), 14, INT)
            }
            6 => match self.pointer_comparison() {
                Some(text) => Expression::new(text, 9, INT),
                None => self.leaf(),
            },
            7 => self.leaf(),
            _ => {
                let (left, right) = (self.expression(depth), self.expression(below));
                let (operator, binding) = self
                    .choose(&[("<", 10), ("<=", 10), (">", 10), (">=", 10), ("==", 9), ("!=", 9)])
                    .unwrap_or(("<", 10));
                let text = format!("{} {operator} {}", left.operand(binding), right.operand(binding + 1));
                Expression::new(text, binding, INT)
            }
        }
    }

    fn pointer_comparison(&mut self) -> Option<String> {
        let pointers: Vec<(String, Type)> = self
            .variables
            .iter()
            .filter_map(|variable| match &variable.kind {
                Type::Pointer { target, .. } => Some((variable.name.clone(), (**target).clone())),
                _ => None,
            })
            .collect();
        let (name, target) = self.choose(&pointers)?;
        let found = self.addresses(&target, 1, usize::MAX);
        let operator = self.random.pick(&["==", "!="]);
        match self.choose(&found) {
            Some(other) if self.random.percent(80) => Some(format!("{name} {operator} {other}")),
            _ => Some(format!("{name} {operator} 0")),
        }
    }

    fn choice(&mut self, depth: usize) -> Expression {
        let condition = self.condition(depth);
        let (left, right) = (self.expression(depth), self.expression(depth));
        let text = format!("{} ? {} : {}", condition.operand(4), left.operand(2), right.operand(3));
        Expression::new(text, 3, left.kind.common(right.kind))
    }

    fn unary(&mut self, depth: usize) -> Expression {
        let value = self.expression(depth);
        let kind = value.kind.promoted();
        let (operator, kind) = match self.random.between(1, 5) {
            1 | 2 => ("-", kind),
            3 => ("~", kind),
            4 => ("+", kind),
            _ => ("!", INT),
        };
        let operand = value.operand(14);
        // `--x` would be something else.
        let operand = match operand.trim_start_matches(OPAQUE).starts_with(['-', '+', '&']) {
            true => format!("({operand})"),
            false => operand,
        };
        Expression::opaque(&format!("{operator}{}", hidden(&operand)), 14, kind)
    }

    fn any_cast(&mut self, depth: usize) -> Expression {
        let value = self.expression(depth);
        match self.random.between(1, 8) {
            1 => value.cast(BOOL.name),
            2 => value.cast(CHAR.name),
            3 => value.cast(LONG_LONG.name),
            _ => {
                let kind = self.integer();
                value.cast(kind.name)
            }
        }
    }

    /// A call of a function that changes nothing, so that it does not matter when it is called.
    fn pure_call(&mut self, depth: usize) -> Option<Expression> {
        let functions: Vec<_> = self
            .functions
            .iter()
            .filter(|function| function.pure)
            .cloned()
            .collect();
        let function = self.choose(&functions)?;
        let call = self.call(&function, depth)?;
        match function.result? {
            Type::Integer(kind) => Some(Expression::new(call, 15, kind)),
            Type::Record(record) => {
                let fields = self.records[record].fields.clone();
                let fields: Vec<_> = fields.into_iter().filter(|field| field.width.is_none()).collect();
                let field = self.choose(&fields)?;
                let kind = self.integer_of(&field.kind)?;
                Some(Expression::new(format!("{call}.{}", field.name), 15, kind))
            }
            _ => None,
        }
    }
}
