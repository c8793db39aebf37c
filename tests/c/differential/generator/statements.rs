//! Statements.

use super::expressions::Expression;
use super::places::{Access, Place};
use super::types::{INT, Type};
use super::{Generator, Variable};

/// The most times a statement should be done.
const MOST_TRIPS: usize = 60;

impl Generator {
    /// As many statements as the function has left.
    pub fn statements(&mut self) {
        while self.frame.statements > 0 {
            self.statement();
        }
    }

    /// A few statements.
    fn some(&mut self, most: i64) {
        for _ in 0..self.random.between(1, most) {
            self.statement();
        }
    }

    pub fn statement(&mut self) {
        self.frame.statements = self.frame.statements.saturating_sub(1);
        self.frame.cost += self.frame.trips;
        let nested = self.frame.statements > 0 && self.depth < 6;
        let loops = nested && self.frame.trips * 2 <= MOST_TRIPS;
        match self.random.between(1, 100) {
            1..=14 if !self.frame.plain => self.local(),
            15..=22 if nested => self.conditional(),
            23..=32 if loops => self.counted_loop(),
            33..=38 if loops => self.guarded_loop(),
            39..=42 if nested => self.switch(),
            43..=45 if nested => self.forward(),
            46..=47 if loops => self.backward(),
            48..=54 => self.move_pointer(),
            55..=58 => self.copy_record(),
            59..=64 => self.call_statement(),
            65..=71 => self.pattern(),
            72..=74 => self.leave(),
            86..=91 => self.idiom(),
            75..=76 if !self.frame.pure => self.check(),
            77..=79 if !self.frame.pure => self.input(),
            80..=85 if !self.frame.pure => self.print(),
            _ => self.assignment(),
        }
    }

    /// A condition for a statement: perhaps with a side effect.
    pub fn test(&mut self) -> Expression {
        if self.random.percent(15)
            && let Some(effect) = self.effect(2, "")
        {
            return effect;
        }
        self.condition(2)
    }

    pub fn assignment(&mut self) {
        let Some(place) = self.place(Access::Write) else {
            return;
        };
        let Place {
            text, binding, kind, ..
        } = place;
        let target = if binding < 14 {
            format!("({text})")
        } else {
            text.clone()
        };
        let wide = kind.signed && kind.bits >= 32;
        let line = match self.random.between(1, 30) {
            1 | 2 if binding < 15 => format!("({text})++;"),
            1 | 2 => format!("{target}++;"),
            3 => format!("--{target};"),
            4..=7 => {
                let operator = self.random.pick(&["+=", "-=", "+=", "*="]);
                let value = match wide {
                    true => self.literal(),
                    false => self.expression(1),
                };
                // Of what a wider type overflows at, gcc's sanitizer does not know when the target is narrower.
                match wide {
                    true => format!("{target} {operator} {};", value.operand(2)),
                    false => format!("{target} {operator} {};", kind.operand(&value.operand(14))),
                }
            }
            8 => {
                let divisor = self.divisor(1);
                let operator = self.random.pick(&["/=", "%="]);
                format!("{target} {operator} {};", divisor.operand(2))
            }
            9 | 10 => {
                let operator = if kind.signed {
                    ">>="
                } else {
                    self.random.pick(&["<<=", ">>="])
                };
                format!("{target} {operator} {};", self.random.between(0, 5))
            }
            11..=13 => {
                let operator = self.random.pick(&["&=", "|=", "^="]);
                format!("{target} {operator} {};", self.expression(2).operand(2))
            }
            14..=16 if place.is_plain => match self.effect(2, &text) {
                Some(effect) => format!("{target} = {};", effect.operand(2)),
                None => format!("{target} = 1;"),
            },
            17 if place.is_plain => {
                let value = self.expression(2).operand(2);
                match self.place(Access::Write) {
                    Some(other) if other.is_plain && other.text != text => {
                        format!("{target} = {} = {value};", other.text)
                    }
                    _ => format!("{target} = {value};"),
                }
            }
            _ => {
                let mut value = self.expression(3);
                if wide && self.random.percent(35) {
                    let modulus = self.random.between(10, 5_000);
                    value = Expression::new(format!("{} % {modulus}", value.operand(13)), 13, value.kind);
                }
                format!("{target} = {};", value.operand(2))
            }
        };
        self.line(&line);
    }

    /// Prints a value.
    pub fn print(&mut self) {
        let value = match self.random.percent(15) {
            true => self.effect(1, ""),
            false => None,
        };
        let value = match value {
            Some(effect) => effect,
            None => self.expression(2),
        };
        self.print_value(&value);
    }

    pub fn print_value(&mut self, value: &Expression) {
        self.line(&format!("printf(\"%lld\\n\", (long long) {});", value.operand(14)));
    }

    /// Prints the numbers of all variables in scope.
    pub fn print_all(&mut self) {
        for variable in self.variables.clone() {
            self.print_parts(variable.name, &variable.kind);
        }
    }

    fn print_parts(&mut self, text: String, kind: &Type) {
        match kind {
            Type::Integer(_) | Type::Enumeration(_) => {
                let value = Expression::new(text, 15, INT);
                self.print_value(&value);
            }
            Type::Record(record) => {
                for field in self.records[*record].fields.clone() {
                    self.print_parts(format!("{text}.{}", field.name), &field.kind);
                }
            }
            Type::Array(element, length) => {
                let counter = self.name("i");
                let head = format!("for (int {counter} = 0; {counter} < {length}; {counter}++)");
                self.braces(&head, "", |inside| {
                    inside.print_parts(format!("{text}[{counter}]"), element);
                });
            }
            Type::Pointer { target, .. } => {
                if self.integer_of(target).is_some() {
                    let value = Expression::new(format!("*{text}"), 14, INT);
                    self.print_value(&value);
                }
            }
        }
    }

    /// Reads an input into a new variable, or one that is there.
    ///
    /// A line has one input at most, which is what the runs that are compared tell them apart by. One in a function is
    /// printed, so that it is there in all copies of the function or in none.
    pub fn input(&mut self) {
        let kind = self.integer();
        let call = format!("__VERIFIER_nondet_{}()", kind.input);
        let name = self.name("n");
        let existing = self.place(Access::Write).filter(|place| place.is_plain);
        let used = match existing {
            Some(place) if self.frame.plain || self.random.percent(40) => {
                self.line(&format!("{} = {call};", place.text));
                place.text
            }
            _ if self.frame.plain => return,
            _ => {
                self.line(&format!("{} = {call};", self.declared(&Type::Integer(kind), &name)));
                self.declare(name.clone(), Type::Integer(kind), self.depth);
                name
            }
        };
        if !self.frame.is_main || self.random.percent(20) {
            self.print_value(&Expression::new(used.clone(), 16, kind));
        }
        if self.random.percent(40) {
            let (low, high) = (self.random.between(-200, 0), self.random.between(20, 1_000));
            let condition = match kind.signed {
                true => format!("{used} >= {low} && {used} <= {high}"),
                false => format!("{used} <= {high}"),
            };
            self.line(&format!("__VERIFIER_assume({condition});"));
        }
    }

    /// An assertion, an assumption, or an end.
    fn check(&mut self) {
        let condition = self.condition(2);
        match self.random.between(1, 8) {
            1 => self.line(&format!("__VERIFIER_assume({} || {});", condition.operand(4), "1 < 2")),
            2 => {
                let other = self.condition(1);
                self.line(&format!(
                    "if ({} && {}) exit(0);",
                    condition.operand(5),
                    other.operand(6)
                ));
            }
            3 => {
                let other = self.condition(1);
                self.line(&format!(
                    "if ({} && {}) abort();",
                    condition.operand(5),
                    other.operand(6)
                ));
            }
            _ => {
                let other = self.condition(1);
                let head = format!("if ({} && {})", condition.operand(5), other.operand(6));
                if self.random.percent(30) {
                    self.braces(&head, "", |inside| inside.line("reach_error();"));
                } else {
                    self.line(&format!("{head} reach_error();"));
                }
            }
        }
    }

    fn conditional(&mut self) {
        let head = format!("if ({})", self.test().text);
        if self.random.percent(15) {
            self.line(&head);
            self.indentation += 1;
            let plain = std::mem::replace(&mut self.frame.plain, true);
            self.single();
            self.frame.plain = plain;
            self.indentation -= 1;
            return;
        }
        let other = self.random.percent(50);
        self.braces(&head, "", |inside| inside.some(3));
        if other && self.random.percent(30) {
            let head = format!("else if ({})", self.condition(1).text);
            self.braces(&head, "", |inside| inside.some(2));
        }
        if other {
            self.braces("else", "", |inside| inside.some(3));
        }
    }

    /// Exactly one statement on one line.
    fn single(&mut self) {
        let before = self.text.len();
        self.assignment();
        if self.text.len() == before {
            self.line(";");
        }
    }

    /// A loop with a counter that indexes may use.
    fn counted_loop(&mut self) {
        let count = self.random.between(1, 5) as usize;
        let counter = self.name("i");
        let kind = self
            .random
            .pick(&["int", "int", "unsigned int", "unsigned char", "short", "long"]);
        let head = match self.random.between(1, 5) {
            1 => format!("for (int {counter} = {}; {counter} >= 0; {counter}--)", count - 1),
            2 => format!("for (int {counter} = 0; {counter} <= {}; ++{counter})", count - 1),
            3 => {
                let test = self.condition(1);
                format!(
                    "for (int {counter} = 0; {counter} < {count} && {}; {counter} += 1)",
                    test.operand(6)
                )
            }
            _ => format!("for ({kind} {counter} = 0; {counter} < {count}; {counter}++)"),
        };
        self.variables.push(Variable {
            name: counter,
            kind: Type::Integer(INT),
            life: usize::MAX,
            writable: false,
            addressable: false,
            bound: Some(count),
        });
        self.body(&head, "", count, None);
        self.variables.pop();
    }

    /// A loop with a condition of its own, and a counter that ends it.
    fn guarded_loop(&mut self) {
        let count = self.random.between(1, 4) as usize;
        let counter = self.name("k");
        let exit = self.name("out");
        let labelled = self.random.percent(25);
        let step = format!("{counter}++;");
        let test = self.condition(1);
        let form = self.random.between(1, 5);
        self.braces("", "", |outside| {
            outside.line(&format!("int {counter} = 0;"));
            if labelled {
                outside.frame.exits.push(exit.clone());
            }
            match form {
                1 => outside.body(&format!("while ({counter}++ < {count})"), "", count, None),
                2 => {
                    let tail = format!("while ({counter} < {count} && {});", test.operand(5));
                    outside.body("do", &tail, count, Some(&step));
                }
                3 => {
                    let first = format!("if ({counter}++ >= {count}) break;");
                    outside.body("while (1)", "", count, Some(&first));
                }
                4 => {
                    let first = format!("if ({counter}++ >= {count} || {}) break;", test.operand(5));
                    outside.body("for (;;)", "", count, Some(&first));
                }
                _ => {
                    let head = format!("while ({} && {counter} < {count})", test.operand(5));
                    outside.body(&head, "", count, Some(&step));
                }
            }
            if labelled {
                outside.frame.exits.pop();
                outside.line(&format!("{exit}:"));
                outside.single();
            }
        });
    }

    fn body(&mut self, head: &str, tail: &str, count: usize, first: Option<&str>) {
        self.frame.trips *= count;
        self.frame.loops.push(true);
        self.braces(head, tail, |inside| {
            if let Some(first) = first {
                inside.line(first);
            }
            inside.some(4);
        });
        self.frame.loops.pop();
        self.frame.trips /= count;
    }

    fn switch(&mut self) {
        let count = self.random.between(2, 4);
        let value = self.expression(1);
        let value = match self.random.between(1, 3) {
            1 => value.text,
            2 => format!("{} & {}", value.operand(8), count),
            _ => format!("{} % {}", value.operand(13), count + 1),
        };
        let start = self.random.between(-1, 1);
        self.frame.loops.push(false);
        self.braces(&format!("switch ({value})"), "", |inside| {
            let default = inside.random.between(-1, count);
            for position in 0..count {
                if position == default {
                    inside.line("default:");
                }
                match inside.random.between(1, 8) {
                    1 => inside.line(&format!("case {}: case {}:", start + position, start + position + 20)),
                    2 => inside.line(&format!("case 'a' + {}:", position + 40)),
                    _ => inside.line(&format!("case {}:", start + position)),
                }
                inside.frame.plain = true;
                inside.indentation += 1;
                inside.some(2);
                if inside.random.percent(65) || position == count - 1 {
                    inside.line("break;");
                }
                inside.indentation -= 1;
            }
        });
        self.frame.loops.pop();
    }

    /// A jump over some statements.
    fn forward(&mut self) {
        let label = self.name("skip");
        let test = self.test();
        self.line(&format!("if ({}) goto {label};", test.text));
        let plain = std::mem::replace(&mut self.frame.plain, true);
        self.some(3);
        self.frame.plain = plain;
        self.line(&format!("{label}:"));
        self.single();
    }

    /// A loop made of a jump.
    fn backward(&mut self) {
        let (label, counter) = (self.name("again"), self.name("k"));
        let count = self.random.between(2, 4) as usize;
        self.braces("", "", |inside| {
            inside.line(&format!("int {counter} = 0;"));
            inside.line(&format!("{label}:"));
            inside.line(&format!("{counter}++;"));
            inside.frame.plain = true;
            inside.frame.trips *= count;
            inside.some(3);
            inside.frame.trips /= count;
            let test = inside.condition(1);
            inside.line(&format!(
                "if ({counter} < {count} && {}) goto {label};",
                test.operand(5)
            ));
        });
    }

    /// A way out of the loop or the function, on a condition.
    fn leave(&mut self) {
        let test = self.condition(1).text;
        let exit = self.choose(&self.frame.exits.clone());
        match (self.random.between(1, 4), self.frame.loops.last().copied()) {
            (1, Some(_)) => self.line(&format!("if ({test}) break;")),
            (2, Some(_)) if self.frame.loops.contains(&true) => self.line(&format!("if ({test}) continue;")),
            (3, _) if exit.is_some() => self.line(&format!("if ({test}) goto {};", exit.unwrap_or_default())),
            (4, _) if self.random.percent(30) => {
                self.braces(&format!("if ({test})"), "", |inside| match inside.frame.result {
                    None => inside.line("return;"),
                    Some(_) => inside.return_value(),
                });
            }
            _ => self.assignment(),
        }
    }

    fn call_statement(&mut self) {
        let pure = self.frame.pure;
        let functions: Vec<_> = self
            .functions
            .iter()
            .filter(|function| !function.pure || pure)
            .filter(|function| function.pure || !pure)
            .cloned()
            .collect();
        let Some(function) = self.choose(&functions) else {
            return self.assignment();
        };
        match self.call(&function, 2) {
            Some(call) if self.random.percent(20) => self.line(&format!("(void) {call};")),
            Some(call) => self.line(&format!("{call};")),
            None => self.assignment(),
        }
    }
}
