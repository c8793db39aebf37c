//! Random C programs over the subset that is translated: readable, ending, and with a meaning that C fixes.
//!
//! The same seed gives the same text. Nothing in it depends on an order of evaluation that C leaves open, indexes and
//! pointers stay in their objects, loops are bounded and variables have values. Signed arithmetic may overflow, and now and
//! then a divisor is zero: such a run has no defined behaviour from there on, which the reference recognizes.

mod declarations;
mod effects;
mod expressions;
mod idioms;
mod patterns;
mod places;
mod statements;
mod types;

use crate::random::Random;
use types::{Enumeration, Record, TYPEDEFS, Type};

/// The text of the program with this number.
pub fn generate(seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        text: String::new(),
        indentation: 0,
        names: 0,
        enumerations: Vec::new(),
        records: Vec::new(),
        variables: Vec::new(),
        functions: Vec::new(),
        depth: 0,
        frame: Frame::default(),
    };
    generator.program();
    generator.text
}

/// A variable that can be used.
#[derive(Clone)]
struct Variable {
    name: String,
    kind: Type,
    /// The depth of the block that it lives as long as; 0 for the whole run.
    life: usize,
    /// Whether it can be assigned: loop counters and constants cannot.
    writable: bool,
    /// Whether an address of it may be taken.
    addressable: bool,
    /// If its values are known to be from 0 to below this.
    bound: Option<usize>,
}

/// A function that can be called.
#[derive(Clone)]
struct Function {
    name: String,
    parameters: Vec<Type>,
    result: Option<Type>,
    /// Whether it changes nothing but its own variables, reads no input and prints nothing.
    pure: bool,
    /// About how many statements a call of it does.
    cost: usize,
}

/// What is known about the function that is being written.
#[derive(Default)]
struct Frame {
    is_main: bool,
    /// Whether it changes nothing but its own variables.
    pure: bool,
    result: Option<Type>,
    /// How many times the current statement is done, at most.
    trips: usize,
    /// About how many statements a call does.
    cost: usize,
    /// How many statements may still be written.
    statements: usize,
    /// How many calls may still be written; every one is inlined.
    calls: usize,
    /// Whether `break` and `continue` have a meaning, for each enclosing loop or `switch`: only loops have `continue`.
    loops: Vec<bool>,
    /// Labels behind enclosing statements.
    exits: Vec<String>,
    /// Whether declarations are not allowed here, because something jumps over them.
    plain: bool,
}

struct Generator {
    random: Random,
    text: String,
    indentation: usize,
    names: usize,
    enumerations: Vec<Enumeration>,
    records: Vec<Record>,
    /// Those in scope.
    variables: Vec<Variable>,
    functions: Vec<Function>,
    depth: usize,
    frame: Frame,
}

impl Generator {
    fn program(&mut self) {
        for line in [
            "extern int printf(const char *format, ...);",
            "extern void *malloc(unsigned long size);",
            "extern void *calloc(unsigned long count, unsigned long size);",
            "extern void free(void *object);",
            "extern void *memset(void *target, int value, unsigned long size);",
            "extern void *memcpy(void *target, const void *source, unsigned long size);",
            "extern void *memmove(void *target, const void *source, unsigned long size);",
            "extern void exit(int status);",
            "extern void abort(void);",
            "extern void reach_error(void);",
            "extern void __VERIFIER_assume(int condition);",
        ] {
            self.line(line);
        }
        let mut inputs: Vec<types::Integer> = types::INTEGERS.to_vec();
        inputs.retain(|kind| !TYPEDEFS.contains(&format!("{};", kind.name)));
        inputs.sort_by_key(|kind| kind.input);
        inputs.dedup_by_key(|kind| kind.input);
        for kind in inputs {
            self.line(&format!("extern {} __VERIFIER_nondet_{}(void);", kind.name, kind.input));
        }
        self.text.push_str(TYPEDEFS);
        self.text.push_str(idioms::HELPERS);
        for _ in 0..self.random.between(0, 2) {
            self.enumeration();
        }
        for _ in 0..self.random.between(0, 3) {
            self.record();
        }
        self.line("");
        for _ in 0..self.random.between(2, 6) {
            self.global();
        }
        for _ in 0..self.random.between(1, 4) {
            self.line("");
            self.function();
        }
        self.line("");
        self.main();
    }

    /// A name that is new, of this kind.
    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            for _ in 0..self.indentation {
                self.text.push_str("    ");
            }
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Lines in braces, after the line that they belong to; what is declared in them is gone behind them.
    fn braces(&mut self, head: &str, tail: &str, body: impl FnOnce(&mut Self)) {
        let visible = self.variables.len();
        let plain = std::mem::replace(&mut self.frame.plain, false);
        self.line(format!("{head} {{").trim_start());
        self.indentation += 1;
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.indentation -= 1;
        self.line(format!("}} {tail}").trim_end());
        self.variables.truncate(visible);
        self.frame.plain = plain;
    }

    fn choose<T: Clone>(&mut self, choices: &[T]) -> Option<T> {
        match choices.len() {
            0 => None,
            count => choices.get(self.random.between(0, count as i64 - 1) as usize).cloned(),
        }
    }
}
