//! Constructs that random statements would not come to by themselves: each in a few lines whose result is a new variable.

use super::Generator;
use super::types::{INT, Integer, Type, UNSIGNED};

/// Functions that idioms call, before all others.
pub const HELPERS: &str = "\
static int doubled(int x) { return x % 1000 * 2; }
static int lowered(int x) { return x % 1000 - 1; }
static int applied(int (*f)(int), int x) { return f(x) + 1; }
static int old_style(a, b) int a; char b; { return a % 1000 - b; }
static int of_row(int (*row)[3], int i) { return row[i][1] + (*row)[2]; }
struct pair { int first; long second; };
static struct pair swapped(struct pair p) { struct pair q = { (int) p.second, p.first }; p.first = 7; return q; }
static void set_pair(struct pair *p, int value) { p->first = value; (*p).second = p->first - 1L; }
";

impl Generator {
    /// One of them.
    pub fn idiom(&mut self) {
        if self.frame.plain || self.frame.trips > 8 {
            return self.assignment();
        }
        self.frame.cost += 15 * self.frame.trips;
        match self.random.between(1, 24) {
            1 => self.shadowed(),
            2 => self.loop_in_switch(),
            3 | 4 => self.case_ranges(),
            5 => self.statement_expression(),
            6 => self.function_table(),
            7 => self.string_table(),
            8 | 9 => self.matrix(),
            10 => self.designators(),
            11 => self.computed_length(),
            12 => self.unnamed_members(),
            13 => self.memory_functions(),
            14 | 15 => self.wide_bit_fields(),
            16 => self.wide_enumeration(),
            17 => self.unevaluated(),
            18 => self.odd_loops(),
            19 | 20 => self.array_of_structs(),
            21 => self.two_entries(),
            22 => self.conversions(),
            23 => self.pointer_chain(),
            _ => self.pairs(),
        }
    }

    /// A number between -98 and 98, as an operand.
    fn little(&mut self) -> String {
        let value = self.expression(1);
        format!("(int) ({} % 99)", value.operand(13))
    }

    /// A new variable for the result.
    fn result(&mut self, kind: Integer, value: &str) -> String {
        let name = self.name("r");
        self.line(&format!("{} {name} = {value};", kind.name));
        self.declare(name.clone(), Type::Integer(kind), self.depth);
        name
    }

    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.line(line);
        }
    }

    /// Names that hide others.
    fn shadowed(&mut self) {
        let names: Vec<String> = self
            .variables
            .iter()
            .filter(|variable| self.integer_of(&variable.kind).is_some())
            .map(|variable| variable.name.clone())
            .collect();
        let Some(hidden) = self.choose(&names) else {
            return self.assignment();
        };
        let (kind, value) = (self.integer().name, self.literal().text);
        let result = self.result(UNSIGNED, &hidden);
        self.braces("", "", |inside| {
            inside.line(&format!("{kind} {hidden} = {value};"));
            inside.line(&format!("{result} += {hidden} * 3u;"));
            inside.line(&format!(
                "for (int {hidden} = 0; {hidden} < 3; {hidden}++) {result} ^= {hidden};"
            ));
            inside.line(&format!("{result} -= {hidden};"));
        });
        self.line(&format!("{result} += {hidden};"));
    }

    /// Cases inside a loop.
    fn loop_in_switch(&mut self) {
        let value = self.expression(1).cast("unsigned char").operand(13);
        let (result, count) = (self.result(UNSIGNED, "0"), self.name("k"));
        self.line(&format!("int {count} = {value} % 7;"));
        self.lines(&[
            format!("switch ({count} % 4) {{"),
            format!("    case 0: do {{ {result} += 1;"),
            format!("    case 3: {result} = {result} * 3;"),
            format!("    case 2: {result} ^= 5;"),
            format!("    case 1: {result} += {count}; }} while (--{count} > 0);"),
            "}".to_string(),
        ]);
    }

    fn case_ranges(&mut self) {
        let result = self.result(INT, "0");
        let value = self.expression(2);
        let shape = self.random.between(1, 4);
        let (head, cases): (String, &[&str]) = match shape {
            1 => (
                format!("{} % 50", value.operand(13)),
                &["-20 ... -1", "0 ... 9", "10", "11 ... 40"],
            ),
            2 => (
                value.cast("unsigned int").text,
                &[
                    "-1",
                    "0 ... 15",
                    "0x80000000 ... 0x80001000",
                    "4294966000u ... 4294967294u",
                ],
            ),
            3 => (
                value.cast("long long").text,
                &[
                    "-2147483648LL ... -1",
                    "0",
                    "1 ... 4294967295",
                    "4294967296 ... 9223372036854775807",
                ],
            ),
            _ => (
                value.cast("signed char").text,
                &["-128 ... -100", "-1", "'a' ... 'z'", "125"],
            ),
        };
        let ends: Vec<&str> = cases
            .iter()
            .map(|_| if self.random.percent(70) { " break;" } else { "" })
            .collect();
        self.line(&format!("switch ({head}) {{"));
        for (position, (case, end)) in cases.iter().zip(&ends).enumerate() {
            self.line(&format!("    case {case}: {result} = {result} * 2 + {position};{end}"));
            if position == 1 {
                self.line(&format!("    default: {result} -= 7;{}", ends[0]));
            }
        }
        self.line("}");
    }

    fn statement_expression(&mut self) {
        let (value, inner) = (self.little(), self.name("t"));
        let kind = self.integer().name;
        let text = format!(
            "({{ {kind} {inner} = {value}; for (int i = 0; i < 2; i++) {inner} = {inner} % 100 + i; {inner}; }}) + 1"
        );
        self.result(INT, &text);
    }

    fn function_table(&mut self) {
        let (one, other) = (self.little(), self.little());
        let (table, each) = (self.name("table"), self.name("op"));
        match self.random.between(1, 3) {
            1 => {
                self.line(&format!("int (*{table}[3])(int) = {{doubled, &lowered, doubled}};"));
                self.result(INT, &format!("{table}[{one} & 1]({other}) + (*{table}[2])(3)"));
            }
            2 => {
                self.line(&format!(
                    "struct {{ int tag; int (*run)(int); }} {table}[2] = {{{{1, lowered}}, {{2, doubled}}}}, *{each};"
                ));
                self.line(&format!("{each} = {one} > 0 ? {table} : &{table}[1];"));
                self.result(INT, &format!("{each}->run({other}) + {each}->tag"));
            }
            _ => {
                self.result(
                    INT,
                    &format!("applied({one} < {other} ? doubled : lowered, {one}) + applied(lowered, {other})"),
                );
            }
        }
    }

    fn string_table(&mut self) {
        let (names, grid, word) = (self.name("names"), self.name("grid"), self.name("word"));
        self.line(&format!("const char *{names}[3] = {{\"ab\", \"\", \"x\\tz\"}};"));
        self.line(&format!(
            "char {grid}[2][4] = {{\"ab\", \"xyz\"}}, {word}[] = \"q\" \"rs\";"
        ));
        let result = self.result(INT, &format!("sizeof {word} + {grid}[1][3]"));
        let head = "for (int i = 0; i < 3; i++)".to_string();
        self.braces(&head, "", |inside| {
            inside.line(&format!("for (const char *c = {names}[i]; *c; c++)"));
            inside.line(&format!("    {result} = ({result} * 31 + *c) % 1000;"));
        });
        let index = self.little();
        self.line(&format!("{grid}[{index} & 1][1] = {word}[2];"));
        self.line(&format!(
            "{result} += {grid}[0][1] - {grid}[1][1] + \"abc\"[{index} & 3] + *({names}[0] + 1);"
        ));
    }

    fn matrix(&mut self) {
        let (one, other, index) = (self.little(), self.little(), self.little());
        let (matrix, row) = (self.name("m"), self.name("row"));
        self.line(&format!("int {matrix}[2][3] = {{{{{one}}}, {{1, {other}, 3}}}};"));
        self.line(&format!("int (*{row})[3] = {matrix};"));
        self.line(&format!("{row}[1][{index} & 1] += 5;"));
        let result = self.result(
            INT,
            &format!("(*{row})[0] + *(*({row} + 1) + 1) + {row}[{index} & 1][2]"),
        );
        match self.random.between(1, 3) {
            1 => {
                self.line(&format!("{row}++;"));
                self.line(&format!("(*{row})[2] -= 4;"));
                self.line(&format!(
                    "{result} += {matrix}[1][2] + ({row} - {matrix}) + ({row} == &{matrix}[1]);"
                ));
            }
            2 => {
                let head = "for (int i = 0; i < 2; i++)";
                self.braces(head, "", |inside| {
                    inside.line(&format!(
                        "for (int j = 2; j >= 0; --j) {result} += {matrix}[i][j] * (i - j);"
                    ));
                });
            }
            _ => self.line(&format!("{result} -= of_row({matrix}, {index} & 1);")),
        }
    }

    fn designators(&mut self) {
        let (one, other) = (self.little(), self.little());
        let [a, p, b, c, s] = ["a", "p", "b", "c", "s"].map(|kind| self.name(kind));
        self.lines(&[
            format!("int {a} = {one}, *{p} = &{a}, {b}[4] = {{[2] = {other}, 4, [0] = 1}}, {c}[] = {{[3] = 1, 2}};"),
            format!("struct {{ int x; struct {{ char k[3]; short z; }} y[2]; }} {s} = {{.y[1].k[1] = {other}, 6, .x = *{p}, {{{{1}}, 2}}}};"),
            format!("*{p} -= {b}[2];"),
        ]);
        self.result(
            INT,
            &format!(
                "{a} + {b}[0] + {b}[1] + {b}[3] + {c}[4] + sizeof {c} + {s}.x + {s}.y[0].k[0] + {s}.y[0].z + {s}.y[1].k[1] + {s}.y[1].k[2]"
            ),
        );
    }

    fn computed_length(&mut self) {
        let value = self.expression(1).cast("unsigned char").operand(13);
        let (length, array) = (self.name("len"), self.name("v"));
        self.line(&format!("int {length} = 2 + {value} % 3;"));
        self.line(&format!("short {array}[{length}];"));
        self.line(&format!("for (int i = 0; i < {length}; i++) {array}[i] = i * i + 1;"));
        self.result(
            INT,
            &format!("{array}[{length} - 1] * 10 + sizeof {array} / sizeof {array}[0]"),
        );
    }

    fn unnamed_members(&mut self) {
        let (one, other) = (self.expression(1), self.little());
        let (s, t) = (self.name("s"), self.name("t"));
        self.lines(&[
            format!("struct {{ int tag; union {{ int a; unsigned int b; }}; struct {{ short lo, hi; }}; }} {s} = {{3}}, {t};"),
            format!("{s}.a = {};", one.operand(2)),
            format!("{s}.lo = {other}, {s}.hi = {s}.lo + 1;"),
            format!("{t} = {s};"),
            format!("{t}.b >>= 1;"),
        ]);
        self.result(UNSIGNED, &format!("{s}.b + {t}.b * 3 + ({t}.a < 0) + {t}.hi + {t}.tag"));
    }

    fn memory_functions(&mut self) {
        let (buffer, other) = (self.name("b"), self.name("b"));
        let byte = self.random.between(-3, 300);
        let kind = self.random.pick(&["unsigned char", "char", "signed char"]);
        self.line(&format!("{kind} {buffer}[6] = {{1, 2, 3, 4, 5}};"));
        match self.random.between(1, 4) {
            1 => self.line(&format!("memset({buffer}, {byte}, 3);")),
            2 => self.line(&format!("memmove({buffer} + 1, {buffer}, 4);")),
            3 => self.line(&format!("memmove({buffer}, &{buffer}[2], 3);")),
            _ => {
                self.line(&format!("{kind} {other}[6];"));
                self.line(&format!("memset({other}, 0, sizeof {other});"));
                self.line(&format!("memcpy({other} + 2, {buffer}, 2 * sizeof {buffer}[0]);"));
                self.line(&format!("memcpy({buffer}, {other}, sizeof {buffer});"));
            }
        }
        let result = self.result(INT, "0");
        self.line(&format!(
            "for (int i = 0; i < 6; i++) {result} = {result} * 7 + {buffer}[i];"
        ));
    }

    fn wide_bit_fields(&mut self) {
        let (one, other) = (self.expression(1), self.expression(1));
        let s = self.name("s");
        self.line(&format!(
            "struct {{ unsigned long a : 40; long b : 35; unsigned int c : 32; int d : 1; unsigned char e : 8; long f : 20; unsigned long g : 33; }} {s} = {{{}, {}}};",
            one.operand(2),
            other.operand(2)
        ));
        let fields = ["a", "b", "c", "d", "e", "f", "g"];
        for _ in 0..2 {
            let (field, source) = (self.random.pick(&fields), self.random.pick(&fields));
            let line = match self.random.between(1, 7) {
                // gcc does not notice when the signed field overflows at its width.
                1 | 3 if field == "b" => format!("{s}.{field} = {s}.{source} / 3;"),
                1 => format!("{s}.{field}++;"),
                2 => format!("{s}.{field} = {s}.{source};"),
                3 => format!("{s}.{field} += {s}.{source} & 255;"),
                4 => format!("{s}.{field} |= {s}.{source} >> 2;"),
                5 => format!("{s}.{field} = ({s}.{source} < 0) + ({s}.{field} > {s}.{source});"),
                6 => format!("{s}.{field} ^= ~{s}.{source};"),
                _ => format!("{s}.{field} = {};", self.expression(1).operand(2)),
            };
            self.line(&line);
        }
        let kind = Integer {
            name: "unsigned long",
            bits: 64,
            signed: false,
            input: "ulong",
        };
        let result = self.result(kind, &format!("{s}.a"));
        for field in &fields[1..] {
            self.line(&format!("{result} = {result} * 3 + {s}.{field};"));
        }
        let field = self.random.pick(&["a", "g", "c", "e"]);
        self.line(&format!(
            "{result} += ({s}.{field} << 3) + ({s}.{field} - 1 < 0) + {s}.{field} * 5;"
        ));
    }

    fn wide_enumeration(&mut self) {
        let value = self.expression(1);
        let [big, little, plain, tag] = ["BIG", "LITTLE", "PLAIN", "E"].map(|kind| self.name(kind));
        let items = match self.random.between(1, 5) {
            1 => format!("{big} = 0x80000000u, {little} = -2, {plain}"),
            2 => format!("{little} = 5, {big} = 0x100000000, {plain} = 1"),
            3 => format!("{big} = 0xffffffff, {little} = 1, {plain}"),
            4 => format!("{plain}, {little} = -3, {big} = 2147483647"),
            _ => format!("{plain}, {little}, {big} = {plain} + 4"),
        };
        let packed = if self.random.percent(40) {
            " __attribute__((packed))"
        } else {
            ""
        };
        let variable = self.name("w");
        self.line(&format!("enum {tag} {{ {items} }}{packed} {variable} = {big};"));
        let result = self.result(
            UNSIGNED,
            &format!("({variable} > {little}) + 2 * ({variable} - 1 < {plain}) + 4 * ({little} < {big}) + 8 * sizeof(enum {tag}) + 64 * sizeof {big}"),
        );
        self.line(&format!("{variable} = {};", value.operand(2)));
        self.line(&format!(
            "{result} += {variable} + ({variable} < {little}) - (-1 < {variable});"
        ));
    }

    /// Operands that are not evaluated.
    fn unevaluated(&mut self) {
        let value = self.expression(1);
        let counter = self.name("c");
        self.line(&format!("int {counter} = 1;"));
        let result = self.result(
            INT,
            &format!(
                "sizeof({counter}++) + sizeof \"abc\" + sizeof(1 ? (char) 1 : (char) 2) + sizeof({})",
                value.text
            ),
        );
        self.line(&format!(
            "{result} += {counter} + (0 && {counter}++) + (1 || ++{counter});"
        ));
        self.line(&format!("{result} += ({} ?: 5) != 0;", value.operand(4)));
        let test = self.condition(1).operand(4);
        self.line(&format!("{result} += {test} ? {counter}++ : ({counter} += 2);"));
        self.line(&format!("{result} += {counter};"));
    }

    fn odd_loops(&mut self) {
        let (result, test) = (self.result(INT, "0"), self.condition(1));
        match self.random.between(1, 3) {
            1 => self.line(&format!(
                "for (int i = 0, j = 5; i < j; i++, j -= 2) {result} += i * j + 1;"
            )),
            2 => self.lines(&[
                "do {".to_string(),
                format!("    if ({}) continue;", test.text),
                format!("    {result}++;"),
                format!("}} while ({result}++ < 3 && !({}));", test.text),
            ]),
            _ => self.lines(&[
                "for (int i = 0; i < 3; i++)".to_string(),
                "    for (int j = 0; ; j++) {".to_string(),
                format!("        if (j > i || ({})) break;", test.text),
                "        if (j == 1) continue;".to_string(),
                format!("        {result} += 10 * i + j;"),
                "    }".to_string(),
            ]),
        }
    }

    fn array_of_structs(&mut self) {
        let (one, other) = (self.little(), self.little());
        let [table, p, q, tag] = ["t", "p", "q", "T"].map(|kind| self.name(kind));
        self.lines(&[
            format!("struct {tag} {{ int a; int b[2]; struct {{ long c; }} d; }} {table}[3] = {{{{1, {{2, {one}}}}}, {{.a = {other}, .d = {{8}}}}}};"),
            format!("int *{p} = &{table}[1].b[0];"),
            format!("struct {tag} *{q} = {table} + 2;"),
            format!("{p}[1] = {one};"),
            format!("*++{p} += 2;"),
            format!("{q}->a = *{p} - 1, {q}[-1].d.c += {other};"),
        ]);
        match self.random.between(1, 3) {
            1 => self.line(&format!("*{q} = {table}[{one} & 1];")),
            2 => self.line(&format!("{q} -= {other} & 1;")),
            _ => self.line(&format!("{p} = {one} > {other} ? &{table}[2].b[0] : {p} - 1;")),
        }
        let result = self.result(
            INT,
            &format!("{table}[1].b[1] + {q}->a + *{p} + ({q} - {table}) + ({q} > {table} + 1)"),
        );
        self.braces("for (int i = 0; i < 3; i++)", "", |inside| {
            inside.line(&format!(
                "{result} = {result} % 10000 * 3 + {table}[i].a - {table}[i].b[0] + {table}[i].b[1] + {table}[i].d.c;"
            ));
        });
    }

    /// A loop that can be entered in two places.
    fn two_entries(&mut self) {
        let test = self.condition(1);
        let (result, again, inside, count) = (
            self.result(INT, "1"),
            self.name("again"),
            self.name("inside"),
            self.name("k"),
        );
        self.lines(&[
            format!("int {count} = 0;"),
            format!("if ({}) goto {inside};", test.text),
            format!("{again}: {count}++; {result} += 2;"),
            format!("{inside}: {result} ^= {count}; if (++{count} < 6) goto {again};"),
        ]);
    }

    fn conversions(&mut self) {
        let value = self.expression(2);
        let kinds: Vec<&str> = (0..4).map(|_| self.integer().name).collect();
        let text = format!("({}) ({}) ({}) {}", kinds[0], kinds[1], kinds[2], value.operand(14));
        let kind = self.integer();
        let result = self.result(kind, &text);
        let (more, other) = (self.expression(1), self.expression(1));
        let operator = self.random.pick(&["+=", "-=", "&=", "|=", "^=", "*="]);
        // Of what a wider type overflows at, gcc's sanitizer does not know when the target is narrower.
        let more = kind.operand(&format!("({}) {}", kinds[3], more.operand(14)));
        self.line(&format!("{result} {operator} {more};"));
        let shift = match kind.signed {
            true => ">>=",
            false => self.random.pick(&["<<=", ">>="]),
        };
        self.line(&format!("{result} {shift} {} & 7;", other.operand(8)));
    }

    fn pointer_chain(&mut self) {
        let (one, other) = (self.little(), self.little());
        let [a, b, p, pp, any] = ["a", "b", "p", "pp", "any"].map(|kind| self.name(kind));
        let kind = self.integer().name;
        self.lines(&[
            format!("{kind} {a} = {one}, {b} = {other}, *{p} = &{a}, **{pp} = &{p};"),
            format!("void *{any} = {one} > 5 ? {p} : &{b};"),
            format!("**{pp} = {other};"),
            format!("*{pp} = ({kind} *) {any};"),
            format!("**{pp} |= 3;"),
        ]);
        self.result(
            INT,
            &format!("(int) ({a} % 100) - (int) ({b} % 100) + 5 * ({p} == &{a}) + 9 * ({any} != 0 && *{p} > 3) + !{p}"),
        );
    }

    /// Structs as arguments and results.
    fn pairs(&mut self) {
        let (one, other) = (self.little(), self.little());
        let (p, q) = (self.name("p"), self.name("q"));
        self.line(
            &format!("struct pair {p} = {{{one}, {other}}}, {q} = swapped({p}), *each = &{p};")
                .replace("each", &format!("e{p}")),
        );
        match self.random.between(1, 3) {
            1 => self.line(&format!("set_pair({one} < 3 ? e{p} : &{q}, {other});")),
            2 => self.line(&format!("*e{p} = swapped(swapped({q}));")),
            _ => self.line(&format!("{p} = (struct pair) {{.second = {one}}};")),
        }
        self.result(
            INT,
            &format!("{p}.first + 3 * (int) {q}.second + 5 * old_style({p}.second, {q}.first) + swapped({p}).first"),
        );
    }
}
