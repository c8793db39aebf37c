//! Random C programs that calculate with floating-point numbers of the three types: all operators, conversions from and to integers,
//! the functions of `math.h` that are calculated, numbers as their bits, special values, fields, arrays, parameters and results.
//!
//! Inputs are numbers of a table of special values, quotients of integers, and numbers of any exponent with any significand; results
//! are printed by their exact digits.

use crate::random::Random;
use std::fmt::Write;

/// What every program begins with. `show` prints a number exactly: its class, or an odd significand and an exponent.
const PROLOGUE: &str = "extern int printf(const char *format, ...);
extern double fabs(double); extern float fabsf(float);
extern double floor(double); extern float floorf(float);
extern double ceil(double); extern float ceilf(float);
extern double trunc(double); extern float truncf(float);
extern double round(double); extern float roundf(float);
extern double rint(double); extern float nearbyintf(float);
extern double sqrt(double); extern float sqrtf(float);
extern double fmin(double, double); extern float fmaxf(float, float);
extern double fdim(double, double); extern double fmod(double, double); extern float fmodf(float, float);
extern double copysign(double, double); extern float copysignf(float, float);
extern long lround(double); extern long lrintf(float); extern long long llround(double); extern long lrint(double);
extern double nextafter(double, double); extern float nextafterf(float, float);
extern double remainder(double, double); extern float remainderf(float, float);
extern double fma(double, double, double); extern float fmaf(float, float, float);
extern double modf(double, double *); extern float modff(float, float *);
extern double frexp(double, int *); extern float frexpf(float, int *);
extern long double fabsl(long double); extern long double floorl(long double); extern long double ceill(long double);
extern long double truncl(long double); extern long double roundl(long double); extern long double rintl(long double);
extern long double sqrtl(long double); extern long double fmodl(long double, long double); extern long double fdiml(long double, long double);
extern long double remainderl(long double, long double); extern long double fmal(long double, long double, long double);
extern long double modfl(long double, long double *); extern long double nextafterl(long double, long double);
extern double ldexp(double, int); extern float ldexpf(float, int); extern long double ldexpl(long double, int);
extern double logb(double); extern int ilogb(double); extern float scalbnf(float, int);
extern long lroundl(long double); extern long lrintl(long double);
extern void *memcpy(void *, const void *, unsigned long);
extern int __VERIFIER_nondet_int(void);
struct pair { float first; double second; int third; };
struct pair pairs[3];
double globals[4];
static const double specials[24] = { 0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, -2.5, 1e10, -1e-10, 1e300, 1e-300, 4.9406564584124654e-324,
    1.7976931348623157e308, 3.4028234663852886e38, 1e39, 1.1754943508222875e-38, 1e-45, 16777217.0, 9007199254740993.0,
    1.0 / 0.0, -1.0 / 0.0, 2147483647.0 };
static void show(double x)
{
    int exponent = 0, steps = 0;
    if (x != x) {
        printf(\"%d\\n\", 1111);
    } else if (x == 0) {
        printf(\"%d\\n\", 1 / x > 0 ? 2222 : 3333);
    } else if (x - x != 0) {
        printf(\"%d\\n\", x > 0 ? 4444 : 5555);
    } else {
        while (x >= 9007199254740992.0 || x <= -9007199254740992.0) { x = x / 65536; exponent += 16; }
        while (x != (double)(long)x && steps < 1200) { x = x * 2; exponent--; steps++; }
        printf(\"%ld\\n\", (long)x);
        printf(\"%d\\n\", exponent);
    }
}
static void showl(long double x)
{
    int exponent = 0;
    if (x != x) {
        printf(\"%d\\n\", 1111);
    } else if (x == 0) {
        printf(\"%d\\n\", 1 / x > 0 ? 2222 : 3333);
    } else if (x - x != 0) {
        printf(\"%d\\n\", x > 0 ? 4444 : 5555);
    } else {
        while (x >= 9223372036854775808.0L || x <= -9223372036854775808.0L) { x = x / 4294967296.0L; exponent += 32; }
        while (x < 2147483648.0L && x > -2147483648.0L) { x = x * 4294967296.0L; exponent -= 32; }
        printf(\"%ld\\n\", (long)x);
        printf(\"%ld\\n\", (long)((x - (long double)(long)x) * 8589934592.0L));
        printf(\"%d\\n\", exponent);
    }
}
static long double wholel(long double x) { long double found; long double rest = modfl(x, &found); return rest == 0 ? found : found + rest * 0.25L; }
static double whole(double x) { double found; double rest = modf(x, &found); return rest == 0 ? found : found + rest * 0.25; }
static float wholef(float x) { float found; float rest = modff(x, &found); return rest == 0 ? found : rest; }
static double fraction(double x) { int exponent; double found = frexp(x, &exponent); return exponent > 9 ? found : found + exponent; }
static float fractionf(float x) { int exponent; float found = frexpf(x, &exponent); return exponent > 9 ? found : found - exponent; }
static unsigned int wordf(float x) { union { float f; unsigned int u; } m; m.f = x; return x == x ? m.u : 1u; }
static unsigned long word(double x) { unsigned long u; memcpy(&u, &x, 8); return x == x ? u : 1ul; }
static float of_wordf(unsigned int u) { union { unsigned char b[4]; float f; unsigned int u; } m; m.u = u; m.b[3] &= 0xbf; return m.f; }
static double of_word(unsigned long u) { double x = 1; memcpy(&x, &u, 8); return x; }
static float turned(float x) { unsigned char *p = (unsigned char *)&x; if (x == x) p[3] ^= 128; return x; }
static double scaled(int kind, int number)
{
    unsigned long bits = (unsigned long)kind * 6364136223846793005ul + (unsigned long)number * 1442695040888963407ul;
    int exponent = (int)(bits % 2100) - 1130;
    double x = (double)(long)(bits >> 11);
    for (; exponent > 0; exponent--)
        x *= 2;
    for (; exponent < 0; exponent++)
        x *= 0.5;
    return bits >> 63 ? -x : x;
}
static double input(int kind, int number)
{
    if (kind % 4 == 3)
        return scaled(kind, number);
    if (kind % 3 == 0)
        return specials[number % 24 < 0 ? -(number % 24) : number % 24];
    if (kind % 3 == 1)
        return number / 8.0;
    return (double)number * 0.1f;
}
";

/// The text of the program with this number.
pub fn generate(seed: u64) -> String {
    let mut generator = Floats {
        random: Random::new(seed ^ 0xf10a7),
        variables: Vec::new(),
        depth: 0,
    };
    generator.program()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Float,
    Double,
    Long,
    Int,
}

struct Floats {
    random: Random,
    variables: Vec<(String, Kind)>,
    depth: usize,
}

impl Floats {
    fn below(&mut self, bound: usize) -> usize {
        self.random.between(0, bound as i64 - 1) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let index = self.below(from.len());
        from[index]
    }

    fn kind(&mut self) -> Kind {
        self.pick(&[
            Kind::Float,
            Kind::Float,
            Kind::Double,
            Kind::Double,
            Kind::Long,
            Kind::Int,
        ])
    }

    fn program(&mut self) -> String {
        let mut text = PROLOGUE.to_string();
        for index in 0..2 {
            let (result, parameter) = (name_of(self.kind()), name_of(self.kind()));
            self.variables = vec![("a".to_string(), kind_of(parameter)), ("b".to_string(), Kind::Double)];
            let value = self.value(kind_of(result), 2);
            let _ = writeln!(
                text,
                "static {result} f{index}({parameter} a, double b)\n{{\n    return {value};\n}}"
            );
        }
        self.variables.clear();
        text.push_str("int main(void)\n{\n");
        for index in 0..3 {
            let kind = self.pick(&[Kind::Float, Kind::Double, Kind::Long]);
            let _ = writeln!(
                text,
                "    int k{index} = __VERIFIER_nondet_int();\n    int n{index} = __VERIFIER_nondet_int();\n    {} x{index} = input(k{index}, n{index});",
                name_of(kind)
            );
            self.variables.push((format!("x{index}"), kind));
            self.variables.push((format!("n{index}"), Kind::Int));
        }
        for place in ["pairs[1].first", "globals[2]", "pairs[0].second"] {
            let kind = if place.ends_with("first") {
                Kind::Float
            } else {
                Kind::Double
            };
            self.variables.push((place.to_string(), kind));
        }
        for index in 0..4 + self.below(6) {
            self.statement(&mut text, index);
        }
        text.push_str("    return 0;\n}\n");
        text
    }

    fn statement(&mut self, text: &mut String, index: usize) {
        let writable: Vec<(String, Kind)> = self
            .variables
            .iter()
            .filter(|(name, _)| !name.starts_with('n'))
            .cloned()
            .collect();
        match self.below(8) {
            0 | 1 => {
                let kind = self.kind();
                let value = self.value(kind, 3);
                let _ = writeln!(text, "    {} v{index} = {value};", name_of(kind));
                self.variables.push((format!("v{index}"), kind));
                let shown = match kind {
                    Kind::Int => "printf(\"%d\\n\", v",
                    _ => &format!("{}(v", show(kind)),
                };
                let _ = writeln!(text, "    {shown}{index});");
            }
            2 => {
                let place = self.below(writable.len());
                let (name, kind) = writable[place].clone();
                let (operator, value) = (self.pick(&["=", "+=", "-=", "*=", "/="]), self.value(Kind::Double, 2));
                // An `int` that is divided by a float is converted back.
                let _ = match kind {
                    Kind::Int => writeln!(text, "    {name} = {name} % 100;"),
                    _ => writeln!(text, "    {name} {operator} {value};\n    {}({name});", show(kind)),
                };
            }
            3 => {
                let condition = self.condition(2);
                let (name, kind) = writable[self.below(writable.len())].clone();
                let value = self.value(if kind == Kind::Int { Kind::Int } else { Kind::Double }, 1);
                let _ = writeln!(
                    text,
                    "    if ({condition}) {{\n        {name} = {value};\n        printf(\"%d\\n\", {index});\n    }}"
                );
            }
            4 => {
                let (name, kind) = writable[self.below(writable.len())].clone();
                if kind != Kind::Int {
                    let step = self.pick(&["++", "--"]);
                    let _ = writeln!(text, "    {0}({name}{step});\n    {0}({name});", show(kind));
                }
            }
            5 => {
                let (condition, value) = (self.condition(1), self.value(Kind::Double, 1));
                let (name, kind) = writable[self.below(writable.len())].clone();
                if kind != Kind::Int {
                    let _ = writeln!(
                        text,
                        "    for (int i{index} = 0; i{index} < 5 && {condition}; i{index}++) {{\n        {name} = {name} * 0.75f + {value};\n    }}\n    {}({name});",
                        show(kind)
                    );
                }
            }
            6 => {
                let condition = self.condition(2);
                let _ = writeln!(text, "    printf(\"%d\\n\", {condition});");
            }
            _ => {
                let (show, kind) = self.pick(&[("show", Kind::Double), ("showl", Kind::Long)]);
                let value = self.value(kind, 3);
                let _ = writeln!(text, "    {show}({value});");
            }
        }
    }

    /// An expression without effects of a type; its own type may be another one.
    fn value(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        if kind == Kind::Int {
            return match self.below(6) {
                5 => {
                    let (function, number) = (self.pick(&["wordf", "word"]), self.value(Kind::Double, depth));
                    format!("(int)({function}({number}) >> 7)")
                }
                4 => {
                    let (number, kind) = (self.leaf(Kind::Double), self.integer());
                    format!("({number} == {number} ? __builtin_signbit((double)({number})) != 0 : ({kind})3)")
                }
                0 => self.condition(depth),
                1 => format!("({})({})", self.integer(), self.bounded(depth)),
                2 => {
                    // Elsewhere the result is not specified.
                    let (function, number) = (
                        self.pick(&["lround", "lrintf", "llround", "lrint", "lroundl", "lrintl"]),
                        self.leaf(Kind::Double),
                    );
                    format!("(fabs({number}) < 1e9 ? (int){function}({number}) : 7)")
                }
                _ => self.leaf(kind),
            };
        }
        let part = |floats: &mut Floats| {
            let kind = floats.kind();
            floats.value(kind, depth)
        };
        match self.below(17) {
            16 => {
                let function = self.pick(&["ldexp", "ldexpf", "ldexpl", "scalbnf"]);
                let (number, power) = (part(self), self.leaf(Kind::Int));
                format!("{function}({number}, ({power}) % 1100)")
            }
            15 => {
                let (function, number) = (self.pick(&["logb", "ilogb"]), part(self));
                format!("{function}({number})")
            }
            14 => {
                let (function, number) = (self.pick(&["of_wordf", "of_word"]), self.value(Kind::Int, depth));
                format!("{function}({number} * 16843009ul)")
            }
            12 => {
                let (to, from) = (self.pick(&["float", "double", "long double"]), self.integer());
                format!("({to})({from}){}", self.leaf(Kind::Int))
            }
            13 => {
                let function = self.pick(&[
                    "nextafter",
                    "nextafterf",
                    "nextafterl",
                    "remainder",
                    "remainderf",
                    "remainderl",
                    "fma",
                    "fmaf",
                    "fmal",
                ]);
                let (left, right) = (part(self), self.leaf(Kind::Double));
                match function {
                    "fma" | "fmaf" | "fmal" => format!("{function}({left}, {right}, {})", part(self)),
                    _ => format!("{function}({left}, {right})"),
                }
            }
            0..=4 => {
                let operator = self.pick(&["+", "-", "*", "/", "+", "*"]);
                let (left, right) = (part(self), part(self));
                // What two integers give would have to be in their range, and be divided by what is not zero.
                format!(
                    "({left} {operator} ({})({right}))",
                    self.pick(&["float", "double", "double", "long double"])
                )
            }
            5 => format!("-({})", self.value(kind, depth)),
            6 => format!("({})({})", self.pick(&["float", "double", "long double"]), part(self)),
            7 => {
                let (condition, left, right) = (self.condition(depth), part(self), part(self));
                format!("({condition} ? {left} : {right})")
            }
            8 | 9 => {
                let function = self.pick(&[
                    "fabs",
                    "fabsf",
                    "floor",
                    "floorf",
                    "ceil",
                    "ceilf",
                    "trunc",
                    "truncf",
                    "round",
                    "roundf",
                    "rint",
                    "nearbyintf",
                    "sqrt",
                    "sqrtf",
                    "whole",
                    "wholef",
                    "fraction",
                    "fractionf",
                    "turned",
                    "fabsl",
                    "floorl",
                    "ceill",
                    "truncl",
                    "roundl",
                    "rintl",
                    "sqrtl",
                    "wholel",
                ]);
                format!("{function}({})", part(self))
            }
            10 => {
                // The sign of a NaN is left open.
                let function = self.pick(&["fmin", "fmaxf", "fdim", "fmod", "fmodf", "fdiml", "fmodl"]);
                let (left, right) = (part(self), part(self));
                // Which of two zeros is the smaller one is left open, too.
                match function {
                    "fmin" | "fmaxf" => format!("{function}(fabs({left}), fabsf({right}))"),
                    _ => format!("{function}({left}, {right})"),
                }
            }
            _ => {
                let sign = self.leaf(Kind::Double);
                let value = part(self);
                let function = self.pick(&["copysign", "copysignf"]);
                format!("{function}({value}, {sign} > 1 ? -2.0 : 0.5)")
            }
        }
    }

    fn integer(&mut self) -> &'static str {
        self.pick(&[
            "int",
            "unsigned char",
            "short",
            "long",
            "unsigned int",
            "unsigned long",
            "_Bool",
            "signed char",
        ])
    }

    /// A number that mostly fits into integer types.
    fn bounded(&mut self, depth: usize) -> String {
        let value = self.value(Kind::Double, depth);
        match self.below(4) {
            0 => value,
            _ => format!("fmod({value}, 100.0)"),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        self.depth += 1;
        let (left, right) = (self.value(Kind::Double, depth), self.value(Kind::Float, depth));
        let condition = match self.below(9) {
            0..=4 => {
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({left} {operator} {right})")
            }
            5 => format!("!({left})"),
            6 => {
                let kind = self.pick(&["float", "double", "long double"]);
                match self.pick(&["isnan", "isfinite", "isnormal", "isinf_sign", "fpclassify"]) {
                    "fpclassify" => {
                        let class = self.below(5);
                        format!("(__builtin_fpclassify(0, 1, 2, 3, 4, ({kind})({left})) == {class})")
                    }
                    class => format!("(__builtin_{class}(({kind})({left})) != 0)"),
                }
            }
            7 => {
                let comparison = self.pick(&["isless", "isgreaterequal", "islessgreater", "isunordered"]);
                format!("(__builtin_{comparison}((double)({left}), {right}) != 0)")
            }
            _ => format!("({left} && {right})"),
        };
        self.depth -= 1;
        condition
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let fitting: Vec<String> = self
            .variables
            .iter()
            .filter(|(_, other)| *other == kind || (matches!(kind, Kind::Double | Kind::Long) && *other != Kind::Int))
            .map(|(name, _)| name.clone())
            .collect();
        if !fitting.is_empty() && self.below(4) > 0 {
            return fitting[self.below(fitting.len())].clone();
        }
        match kind {
            Kind::Int => self.below(50).to_string(),
            Kind::Float => self
                .pick(&["0.1f", "2.5f", "1e30f", "16777216.0f", "0x1.8p-3f", "1e-40f", "3.0f"])
                .to_string(),
            Kind::Long => self
                .pick(&[
                    "0.1L",
                    "0x1p-16445L",
                    "1.00000000000000000011L",
                    "1e4931L",
                    "18446744073709551615.0L",
                    "-0.0L",
                ])
                .to_string(),
            Kind::Double => self
                .pick(&[
                    "0.1",
                    "0.5",
                    "3",
                    "1e300",
                    "9007199254740991.0",
                    "0x1p-1060",
                    ".1e1",
                    "0.30000000000000004",
                    "-0.0",
                ])
                .to_string(),
        }
    }
}

/// What prints a number of the kind.
fn show(kind: Kind) -> &'static str {
    match kind {
        Kind::Long => "showl",
        _ => "show",
    }
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Long => "long double",
        Kind::Int => "int",
    }
}

fn kind_of(name: &str) -> Kind {
    match name {
        "float" => Kind::Float,
        "double" => Kind::Double,
        "long double" => Kind::Long,
        _ => Kind::Int,
    }
}
