//! Random C programs about memory: arrays and allocated objects, pointers that are moved, handed on and freed, blocks that end while
//! something points into them. Now and then an access misses its object, which the compiler's checks and ours have to see.
//!
//! No access is further from its object than the compiler's checks look: five numbers behind it or four before it.

use crate::random::Random;

/// What every program begins with.
const PROLOGUE: &str = "extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *object);
extern void *memset(void *target, int value, unsigned long size);
extern void *memmove(void *target, const void *source, unsigned long size);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int g0[3] = { 1, 2, 3 };
int g1 = 4;
int get(int *p, int i) { return p[i]; }
void set(int *p, int i, int v) { p[i] = v; }
void drop(int *p) { free(p); }
int *make(int n) { return calloc(n, sizeof(int)); }
int *keep(int v) { int own[2] = { v, v }; int *p = own; return p; }
int *same(int *p) { return p; }
";

/// How far a pointer may have been moved away from where it was set.
const FARTHEST: i64 = 2;

/// The text of the program with this number.
pub fn generate(seed: u64) -> String {
    let mut accesses = Accesses {
        random: Random::new(seed ^ 0xacce55),
        text: PROLOGUE.to_string(),
        indentation: 1,
        moved: [0; 3],
    };
    accesses.program();
    accesses.text
}

struct Accesses {
    random: Random,
    text: String,
    indentation: usize,
    /// How far each pointer may have been moved.
    moved: [i64; 3],
}

impl Accesses {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.indentation));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn program(&mut self) {
        self.text.push_str("int main(void)\n{\n");
        for line in [
            "int a0[2] = { 5, 6 }, a1[4] = { 7, 8, 9, 10 };",
            "int x = 0;",
            "int *p0 = a0, *p1 = a1, *p2 = g0;",
            "struct node *n0 = 0, *n1 = calloc(1, sizeof(struct node));",
        ] {
            self.line(line);
        }
        for name in ["i", "k"] {
            self.line(&format!("int {name} = __VERIFIER_nondet_int() & 3;"));
        }
        for _ in 0..self.random.between(4, 10) {
            self.statement(2);
        }
        self.line("return x;");
        self.text.push_str("}\n");
    }

    /// One of the pointers to numbers, by its index.
    fn pointer(&mut self) -> usize {
        self.random.between(0, 2) as usize
    }

    fn node(&mut self) -> &'static str {
        match self.random.between(0, 1) {
            0 => "n0",
            _ => "n1",
        }
    }

    /// Where an access of something behind a pointer is.
    fn index(&mut self) -> String {
        match self.random.between(0, 39) {
            0 => "-1".to_string(),
            1 => "i".to_string(),
            2 => "k".to_string(),
            3 => "(i & k)".to_string(),
            4 => "3".to_string(),
            5..=7 => "2".to_string(),
            8..=13 => "(i & 1)".to_string(),
            14..=20 => "1".to_string(),
            _ => "0".to_string(),
        }
    }

    /// How many numbers are accessed or allocated together.
    fn count(&mut self) -> &'static str {
        match self.random.between(0, 5) {
            0 => "i",
            1 => "k",
            2 => "3",
            3 => "1",
            _ => "2",
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.between(0, 19) {
            0..=2 => self.set_pointer(),
            3 => self.move_pointer(),
            4..=6 => self.access(),
            7 => {
                let pointer = self.pointer();
                let how = if self.random.percent(50) { "free" } else { "drop" };
                // Only what has been allocated can be, and is mostly not used any more.
                if self.random.percent(80) {
                    self.line(&format!("p{pointer} = make(2);"));
                }
                self.line(&format!("{how}(p{pointer});"));
                if self.random.percent(70) {
                    self.moved[pointer] = 0;
                    self.line(&format!("p{pointer} = a1;"));
                }
            }
            8 => self.several(),
            9..=11 => self.nodes(),
            12 if depth > 0 => self.block(depth - 1),
            13..=15 if depth > 0 => self.branch(depth - 1),
            16 if depth > 0 => self.repetition(depth - 1),
            _ => self.access(),
        }
    }

    fn set_pointer(&mut self) {
        let (pointer, other, count) = (self.pointer(), self.pointer(), self.count());
        let (value, moved) = match self.random.between(0, 11) {
            0 => ("a0".to_string(), 0),
            1 => ("a1 + 2".to_string(), 0),
            2 => ("a1 + i".to_string(), 0),
            3 => ("&g1".to_string(), 0),
            4 => ("&g0[2]".to_string(), 0),
            5 => (format!("calloc({count}, sizeof(int))"), 0),
            6 => (format!("make({count} + 1)"), 0),
            7 if self.random.percent(20) => ("0".to_string(), 0),
            8 if self.random.percent(20) => ("keep(x & 7)".to_string(), 0),
            9 => (format!("same(p{other})"), self.moved[other]),
            10 => (format!("k ? p{other} : a0"), self.moved[other]),
            _ => (format!("p{other}"), self.moved[other]),
        };
        self.moved[pointer] = moved;
        self.line(&format!("p{pointer} = {value};"));
    }

    fn move_pointer(&mut self) {
        let (pointer, other) = (self.pointer(), self.pointer());
        let by = self.random.between(-1, 1);
        if self.moved[other] + by.abs() > FARTHEST || by == 0 {
            return self.access();
        }
        self.moved[pointer] = self.moved[other] + 1;
        // No number is added to a null pointer.
        self.line(&format!("if (p{other}) p{pointer} = p{other} + {by};"));
        self.line(&format!("if (p{pointer} && i == 2) x = p{pointer}[{}];", -by));
    }

    fn access(&mut self) {
        let (pointer, index) = (self.pointer(), self.index());
        let line = match self.random.between(0, 9) {
            0 => format!("x = *p{pointer} & 15;"),
            1 => format!("*p{pointer} = x;"),
            2..=3 => format!("x = p{pointer}[{index}] & 15;"),
            4 => format!("p{pointer}[{index}] = x;"),
            5 => format!("x = get(p{pointer}, {index}) & 15;"),
            6 => format!("set(p{pointer}, {index}, x);"),
            7 => format!("x = a0[{index}] & 15;"),
            8 => format!("a1[{index}] = x;"),
            _ => format!("if (p{pointer}) x += p{pointer}[0] & 1;"),
        };
        self.line(&line);
    }

    fn several(&mut self) {
        let (pointer, count) = (self.pointer(), self.count());
        let line = match self.random.between(0, 2) {
            0 => format!("memset(p{pointer}, 0, {count} * sizeof(int));"),
            1 => format!("memmove(p{pointer}, g0, {count} * sizeof(int));"),
            _ => format!("memmove(a1, p{pointer}, {count} * sizeof(int));"),
        };
        // Nothing is accessed behind null, which the library's functions do not allow either.
        self.line(&format!("if (p{pointer} && {count}) {line}"));
    }

    fn nodes(&mut self) {
        let (one, other) = (self.node(), self.node());
        let line = match self.random.between(0, 8) {
            0 => format!("{one} = calloc(1, sizeof(struct node));"),
            1 => format!("{one} = {other};"),
            2 => format!("if ({one}) {one}->next = {other};"),
            3 => format!("if ({one} && {one}->next) {one} = {one}->next;"),
            4 => format!("if ({one}) x = {one}->value & 15;"),
            5 => format!("if ({one}) {one}->value = x;"),
            6 if self.random.percent(30) => format!("if ({one}) x = {one}->next->value & 15;"),
            6 => format!("if ({one} && {one}->next) x = {one}->next->value & 15;"),
            7 if self.random.percent(40) => format!("free({one});"),
            7 => format!("free({one}); {one} = 0;"),
            _ => format!("if ({one}) x = *same(&{one}->value) & 15;"),
        };
        self.line(&line);
    }

    /// A block whose own array may be pointed to when it has ended.
    fn block(&mut self, depth: usize) {
        let pointer = self.pointer();
        self.line("{");
        self.indentation += 1;
        self.line("int t[2] = { x, 1 };");
        self.moved[pointer] = 0;
        self.line(&format!("p{pointer} = t;"));
        for _ in 0..self.random.between(1, 2) {
            self.statement(depth);
        }
        self.indentation -= 1;
        self.line("}");
    }

    fn branch(&mut self, depth: usize) {
        let value = self.random.between(0, 3);
        let variable = if self.random.percent(50) { "i" } else { "k" };
        self.line(&format!("if ({variable} == {value}) {{"));
        self.indentation += 1;
        // What is moved on one of the ways alone counts.
        let before = self.moved;
        for _ in 0..self.random.between(1, 2) {
            self.statement(depth);
        }
        for (moved, before) in self.moved.iter_mut().zip(before) {
            *moved = before.max(*moved);
        }
        self.indentation -= 1;
        self.line("}");
    }

    fn repetition(&mut self, depth: usize) {
        let (pointer, count) = (self.pointer(), self.count());
        if depth == 0 || self.random.percent(60) {
            return self.line(&format!("for (int j = 0; j < {count} + 1; j++) p{pointer}[j] = j;"));
        }
        self.line(&format!("for (int j = 0; j < {count}; j++) {{"));
        self.indentation += 1;
        // Moved each time, it might be anywhere.
        self.moved = [FARTHEST; 3];
        self.statement(0);
        self.moved = [FARTHEST; 3];
        self.indentation -= 1;
        self.line("}");
    }
}
