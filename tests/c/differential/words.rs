//! Random C programs about bits: all operators on integers of all widths, shifts and rotations by what was read, bit-fields, and what
//! compilers have for counting, finding and reversing bits.
//!
//! Signed numbers are added and multiplied as unsigned ones and converted back, so runs seldom end in an overflow.

use crate::random::Random;
use std::fmt::Write;

/// What every program begins with.
const PROLOGUE: &str = "extern int printf(const char *format, ...);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void); extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void); extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void); extern unsigned long __VERIFIER_nondet_ulong(void);
struct fields { unsigned a : 3; int b : 5; unsigned long c : 33; signed char d : 4; _Bool e : 1; unsigned short f : 11; long g : 40; unsigned h : 32; };
struct fields fields;
unsigned long words[4];
";

/// An integer type: its name, its width, and the end of the name of its inputs.
#[derive(Clone, Copy)]
struct Type {
    name: &'static str,
    bits: u32,
    input: &'static str,
}

const fn integer(name: &'static str, bits: u32, input: &'static str) -> Type {
    Type { name, bits, input }
}

const TYPES: [Type; 9] = [
    integer("_Bool", 1, "bool"),
    integer("signed char", 8, "char"),
    integer("unsigned char", 8, "uchar"),
    integer("short", 16, "short"),
    integer("unsigned short", 16, "ushort"),
    integer("int", 32, "int"),
    integer("unsigned int", 32, "uint"),
    integer("long", 64, "long"),
    integer("unsigned long", 64, "ulong"),
];

/// The unsigned types that values are calculated in.
const WIDE: [Type; 2] = [TYPES[6], TYPES[8]];

const FIELDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// The text of the program with this number.
pub fn generate(seed: u64) -> String {
    let mut generator = Words {
        random: Random::new(seed ^ 0xb175),
        readable: Vec::new(),
    };
    generator.program()
}

struct Words {
    random: Random,
    readable: Vec<String>,
}

impl Words {
    fn below(&mut self, bound: usize) -> usize {
        self.random.between(0, bound as i64 - 1) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let index = self.below(from.len());
        from[index]
    }

    fn program(&mut self) -> String {
        let mut text = PROLOGUE.to_string();
        for index in 0..2 {
            let (result, first, second) = (self.pick(&TYPES), self.pick(&TYPES), self.pick(&TYPES));
            self.readable = vec!["a".to_string(), "b".to_string()];
            let value = self.value(2);
            let _ = writeln!(
                text,
                "static {} f{index}({} a, {} b)\n{{\n    return ({}){value};\n}}",
                result.name, first.name, second.name, result.name
            );
        }
        self.readable.clear();
        text.push_str("int main(void)\n{\n");
        for index in 0..4 {
            let kind = self.pick(&TYPES);
            let _ = writeln!(text, "    {} x{index} = __VERIFIER_nondet_{}();", kind.name, kind.input);
            self.readable.push(format!("x{index}"));
        }
        for (index, field) in FIELDS.into_iter().enumerate() {
            let _ = writeln!(text, "    fields.{field} = x{};", index % 4);
            // In the bits of a field alone an overflow goes unnoticed.
            let read = match field {
                "g" => "((long)fields.g)".to_string(),
                _ => format!("fields.{field}"),
            };
            self.readable.push(read);
        }
        text.push_str("    words[1] = x0; words[2] = x1;\n");
        self.readable
            .extend(["words[1]", "words[2]", "words[3]"].map(str::to_string));
        for index in 0..6 + self.below(8) {
            self.statement(&mut text, index);
        }
        text.push_str("    return 0;\n}\n");
        text
    }

    fn statement(&mut self, text: &mut String, index: usize) {
        match self.below(9) {
            0..=2 => {
                let (kind, value) = (self.pick(&TYPES), self.value(3));
                let _ = writeln!(text, "    {} v{index} = ({}){value};", kind.name, kind.name);
                let _ = writeln!(text, "    printf(\"%ld\\n\", (long)v{index});");
                self.readable.push(format!("v{index}"));
            }
            3 => {
                let (field, value) = (self.pick(&FIELDS), self.value(2));
                let operator = self.pick(&["=", "^=", "|=", "&="]);
                let _ = writeln!(text, "    fields.{field} {operator} {value};");
                let _ = writeln!(text, "    printf(\"%ld\\n\", (long)fields.{field});");
            }
            4 => {
                let (place, value) = (self.below(4), self.value(2));
                let operator = self.pick(&["=", "+=", "-=", "*=", "^=", "|=", "&="]);
                let _ = writeln!(text, "    words[{place}] {operator} {value};");
                let distance = self.below(64);
                let shift = self.pick(&["<<=", ">>="]);
                let _ = writeln!(text, "    words[{place}] {shift} {distance};");
                let _ = writeln!(text, "    printf(\"%ld\\n\", (long)words[{place}]);");
            }
            5 => {
                let (kind, value) = (self.pick(&WIDE), self.value(2));
                let step = self.value(1);
                let shift = self.pick(&["<< 1", ">> 1", "<< 3", ">> 5"]);
                let _ = writeln!(
                    text,
                    "    {} l{index} = {value};\n    for (int i = 0; i < {}; i++)\n        l{index} = (l{index} {shift}) ^ (l{index} & 1 ? {step} >> (i & 7) : i);\n    printf(\"%ld\\n\", (long)l{index});",
                    kind.name,
                    1 + self.below(20)
                );
                self.readable.push(format!("l{index}"));
            }
            6 => {
                let (kind, left, right) = (self.pick(&TYPES[1..]), self.value(1), self.value(1));
                // Products of unlike types are refused.
                let operation = self.pick(&["add", "sub"]);
                let _ = writeln!(
                    text,
                    "    {} o{index};\n    printf(\"%d\\n\", (int)__builtin_{operation}_overflow({left}, {right}, &o{index}));\n    printf(\"%ld\\n\", (long)o{index});",
                    kind.name
                );
                self.readable.push(format!("o{index}"));
            }
            7 => {
                let (condition, place, value) = (self.condition(2), self.below(4), self.value(1));
                let _ = writeln!(
                    text,
                    "    if ({condition})\n        x{place} = {value};\n    printf(\"%ld\\n\", (long)x{place});"
                );
            }
            _ => {
                let condition = self.condition(3);
                let _ = writeln!(text, "    printf(\"%d\\n\", (int)({condition}));");
            }
        }
    }

    /// An expression that is defined whatever its parts are, in parentheses.
    fn value(&mut self, depth: usize) -> String {
        let Some(below) = depth.checked_sub(1) else {
            return self.leaf();
        };
        let wide = self.pick(&WIDE);
        let (left, right) = (self.value(below), self.value(below));
        match self.below(16) {
            0 | 1 => {
                let (operator, kind) = (self.pick(&["+", "-", "*"]), self.pick(&TYPES));
                format!(
                    "({})(({}){left} {operator} ({}){right})",
                    kind.name, wide.name, wide.name
                )
            }
            2..=4 => format!("({left} {} {right})", self.pick(&["&", "|", "^"])),
            5 => format!("(~{left})"),
            6 => {
                let kind = self.pick(&TYPES);
                let bits = kind.bits.max(32) - 1;
                let operator = self.pick(&["<<", ">>"]);
                let value = match operator {
                    "<<" => format!("({}){left}", self.pick(&WIDE).name),
                    _ => format!("({}){left}", kind.name),
                };
                format!("({value} {operator} ({right} & {}))", bits.min(31))
            }
            7 => {
                let bits = wide.bits;
                let last = bits - 1;
                let value = format!("({}){left}", wide.name);
                format!(
                    "(({value} << ({right} & {last})) | ({value} >> (-({}){right} & {last})))",
                    wide.name
                )
            }
            8 => {
                let divisor = self.below(30) + 1;
                match self.below(3) {
                    0 => format!("({left} {} {divisor})", self.pick(&["/", "%"])),
                    1 => format!("(({}){left} {} ({right} | 1))", TYPES[8].name, self.pick(&["/", "%"])),
                    _ => format!("((int){left} {} -{divisor})", self.pick(&["/", "%"])),
                }
            }
            9 => {
                let (function, kind) = self.pick(&[
                    ("popcount", "unsigned"),
                    ("popcountl", "unsigned long"),
                    ("parity", "unsigned"),
                    ("parityl", "unsigned long"),
                    ("ffs", "int"),
                    ("ffsl", "long"),
                    ("bswap16", "unsigned short"),
                    ("bswap32", "unsigned"),
                    ("bswap64", "unsigned long"),
                ]);
                format!("__builtin_{function}(({kind}){left})")
            }
            10 => {
                // Not defined for zero.
                let (function, kind) = self.pick(&[
                    ("clz", "unsigned"),
                    ("clzl", "unsigned long"),
                    ("ctz", "unsigned"),
                    ("ctzl", "unsigned long"),
                ]);
                format!("__builtin_{function}(({kind}){left} | ({kind})1 << {})", self.below(32))
            }
            11 => format!("({}){left}", self.pick(&TYPES).name),
            12 => format!("({} ? {left} : {right})", self.condition(below)),
            13 if self.is_in_main() => format!("f{}({left}, {right})", self.below(2)),
            14 => format!("(-({}){left})", wide.name),
            _ => format!("({})", self.condition(below)),
        }
    }

    /// Whether the functions can be called: none of them calls another one.
    fn is_in_main(&self) -> bool {
        self.readable.first().is_some_and(|name| name.starts_with('x'))
    }

    fn condition(&mut self, depth: usize) -> String {
        let (left, right) = (self.value(depth.saturating_sub(1)), self.value(depth.saturating_sub(1)));
        match self.below(4) {
            0 => format!("!{left}"),
            1 => format!("({left} {} {right})", self.pick(&["&&", "||"])),
            _ => format!("({left} {} {right})", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
        }
    }

    fn leaf(&mut self) -> String {
        if self.below(4) > 0 {
            let index = self.below(self.readable.len());
            return self.readable[index].clone();
        }
        let constants = [
            "1",
            "3",
            "255",
            "0x55",
            "0x80000000u",
            "0x0f0f0f0f",
            "0xff00ff00ff00ff00ul",
            "-1",
            "-128",
            "4294967296",
            "0x7fffffff",
        ];
        format!("({})", self.pick(&constants))
    }
}
