//! Every kind of node that the parser makes, as the syntax tree declares it: each has a program here, which the tree of that
//! program has it in, and each operand that C evaluates is evaluated there, or the program is refused. A kind that is added to the
//! tree fails this test until it has a program.

use super::lower;
use crate::options::Options;
use crate::parser::parse;
use crate::program::{Effect, InstructionKind, Program};
use bumpalo::Bump;

/// The declarations of the tree's nodes.
const SYNTAX: [&str; 3] = [
    include_str!("../syntax/mod.rs"),
    include_str!("../syntax/operators.rs"),
    include_str!("../syntax/statements.rs"),
];

/// What stands for an operand that C evaluates: it is an `int` whose value is not known here.
const OPERAND: char = '§';

/// Programs in one function, by the kinds that they show. What is behind `@` is declared before.
const SAMPLES: &[(&str, &str)] = &[
    ("Item::Function", "f(§); @ int f(int x) { return x; }"),
    ("Item::Declaration", "g = §; @ int g;"),
    ("Item::Assembly", "§; @ asm(\"nop\");"),
    ("Item::Statement", "§;"),
    (
        "AttributeArgument::Expression",
        "int v __attribute__((aligned(8))) = §;",
    ),
    (
        "AttributeArgument::Type",
        "int v __attribute__((vector_size(int))) = §;",
    ),
    (
        "AttributeArgument::Other",
        "int v __attribute__((nobody_knows(a : b))) = §;",
    ),
    ("Storage::Typedef", "typedef int t; t v = §;"),
    ("Storage::Extern", "extern int v; v = §;"),
    ("Storage::Static", "static int v; v = §;"),
    ("Storage::Auto", "auto int v = §;"),
    ("Storage::Register", "register int v = §;"),
    ("TypeSpecifier::Void", "(void)§;"),
    ("TypeSpecifier::Bool", "_Bool v = §;"),
    ("TypeSpecifier::Char", "signed char v = §;"),
    ("TypeSpecifier::Integer", "unsigned v = §;"),
    ("TypeSpecifier::Float", "float v = §;"),
    ("TypeSpecifier::Double", "double v = §;"),
    ("TypeSpecifier::LongDouble", "long double v = §;"),
    ("TypeSpecifier::Quadruple", "__float128 v = §;"),
    ("TypeSpecifier::Named", "size_t v = §;"),
    ("TypeSpecifier::Record", "struct { int a; } v = { § };"),
    ("TypeSpecifier::Enum", "enum { A, B } v = §;"),
    ("TypeSpecifier::TypeofExpression", "__typeof__(i + 1) v = §;"),
    ("TypeSpecifier::TypeofType", "__typeof__(int) v = §;"),
    ("TypeSpecifier::VaList", "__builtin_va_list v; §;"),
    ("TypeSpecifier::Complex", "_Complex double v = §;"),
    ("TypeSpecifier::Other", "__auto_type v = §;"),
    ("IntegerSize::Short", "short v = §;"),
    ("IntegerSize::Int", "int v = §;"),
    ("IntegerSize::Long", "long v = §;"),
    ("IntegerSize::LongLong", "long long v = §;"),
    ("IntegerSize::Int128", "__int128 v = §;"),
    ("Derivation::Pointer", "int *v = (int[]){ § };"),
    ("Derivation::VolatilePointer", "int *volatile v = (int[]){ § };"),
    ("Derivation::Array", "int v[§ + 1];"),
    ("Derivation::Function", "f(§); @ int f(int x) { return x; }"),
    ("Initializer::Expression", "int v = §;"),
    ("Initializer::List", "int v[2] = { §, § };"),
    ("Designator::Member", "struct { int a, b; } v = { .b = § };"),
    ("Designator::Index", "int v[3] = { [1] = § };"),
    ("Designator::Range", "int v[3] = { [0 ... 1] = § };"),
    ("StatementKind::Empty", "; §;"),
    ("StatementKind::Expression", "§;"),
    ("StatementKind::Declaration", "int v = §;"),
    ("StatementKind::NestedFunction", "int f(int x) { return x; } f(§);"),
    ("StatementKind::Block", "{ §; }"),
    ("StatementKind::If", "if (§) §; else §;"),
    ("StatementKind::While", "while (§) §;"),
    ("StatementKind::DoWhile", "do §; while (§);"),
    ("StatementKind::For", "for (§; §; §) §;"),
    ("StatementKind::Switch", "switch (§) { case 1: §; }"),
    ("StatementKind::Case", "switch (§) { case 0 ... 3: §; }"),
    ("StatementKind::Default", "switch (§) { default: §; }"),
    ("StatementKind::Label", "l: §; if (i < 3) goto l;"),
    ("StatementKind::Goto", "goto l; i = 2; l: §;"),
    (
        "StatementKind::ComputedGoto",
        "void *t[] = { &&l, &&l }; goto *t[§]; l: §;",
    ),
    ("StatementKind::Break", "while (i) { break; i = 2; } §;"),
    ("StatementKind::Continue", "do { continue; i = 2; } while (§);"),
    ("StatementKind::Return", "return §;"),
    ("StatementKind::Assembly", "asm volatile(\"\" : : \"r\"(§));"),
    ("ExpressionKind::Name", "i; §;"),
    ("ExpressionKind::Integer", "3 + §;"),
    ("ExpressionKind::Floating", "1.5 + §;"),
    ("ExpressionKind::Character", "'a' + §;"),
    ("ExpressionKind::String", "\"ab\"[§];"),
    ("Encoding::Bytes", "k = \"ab\"[§];"),
    ("Encoding::Wide", "k = L\"ab\"[§];"),
    ("Encoding::Utf16", "k = u\"ab\"[§];"),
    ("Encoding::Utf32", "k = U\"ab\"[§];"),
    ("ExpressionKind::Unary", "-§;"),
    ("ExpressionKind::Binary", "3 * §;"),
    ("ExpressionKind::And", "§ && §;"),
    ("ExpressionKind::Or", "§ || §;"),
    ("ExpressionKind::Assign", "k = §;"),
    ("ExpressionKind::Comma", "§, §;"),
    ("ExpressionKind::Conditional", "§ ? § : §; § ?: §;"),
    ("ExpressionKind::Cast", "(char)§;"),
    ("ExpressionKind::CompoundLiteral", "(int[2]){ § };"),
    ("ExpressionKind::Index", "a[§]; § [a];"),
    ("ExpressionKind::Member", "(§, s).m; @ struct s { int m; } s;"),
    ("ExpressionKind::PointerMember", "(§, &s)->m; @ struct s { int m; } s;"),
    ("ExpressionKind::Call", "f(§); (§, f)(2); @ int f(int x) { return x; }"),
    ("ExpressionKind::SizeofExpression", "sizeof i; §;"),
    ("ExpressionKind::SizeofType", "sizeof(int); §;"),
    ("ExpressionKind::AlignofType", "_Alignof(int); §;"),
    ("Alignment::Least", "_Alignof(int); §;"),
    ("Alignment::Preferred", "__alignof__(int); §;"),
    (
        "ExpressionKind::Offsetof",
        "__builtin_offsetof(struct s, m); §; @ struct s { int m; } s;",
    ),
    ("ExpressionKind::Generic", "_Generic(i, int: §, default: 2);"),
    (
        "ExpressionKind::TypesCompatible",
        "__builtin_types_compatible_p(int, int); §;",
    ),
    (
        "ExpressionKind::ConvertVector",
        "__builtin_convertvector((§, v), v2)[0]; @ typedef int v2 __attribute__((vector_size(8))); v2 v;",
    ),
    (
        "ExpressionKind::VaArg",
        "f(1, §); @ int f(int n, ...) { __builtin_va_list v[2]; __builtin_va_start(v[1], n); return __builtin_va_arg(v[§], int); }",
    ),
    ("ExpressionKind::StatementExpression", "({ §; 2; });"),
    ("ExpressionKind::LabelAddress", "void *p = &&l; l: §;"),
    ("ExpressionKind::Unknown", "§;"),
    ("UnaryOperator::Plus", "+§;"),
    ("UnaryOperator::Minus", "-§;"),
    ("UnaryOperator::BitNot", "~§;"),
    ("UnaryOperator::Not", "!§;"),
    ("UnaryOperator::Dereference", "*(a + §);"),
    ("UnaryOperator::AddressOf", "&a[§];"),
    ("UnaryOperator::PreIncrement", "++a[§];"),
    ("UnaryOperator::PreDecrement", "--a[§];"),
    ("UnaryOperator::PostIncrement", "a[§]++;"),
    ("UnaryOperator::PostDecrement", "a[§]--;"),
    ("UnaryOperator::RealPart", "__real__ §;"),
    ("UnaryOperator::ImaginaryPart", "__imag__ §;"),
    ("UnaryOperator::Imaginary", "1.5i + §;"),
    ("BinaryOperator::Add", "k + §; a[§] += 3;"),
    ("BinaryOperator::Subtract", "k - §; a[§] -= 3;"),
    ("BinaryOperator::Multiply", "k * §; a[§] *= 3;"),
    ("BinaryOperator::Divide", "k / §; a[§] /= 3;"),
    ("BinaryOperator::Remainder", "k % §; a[§] %= 3;"),
    ("BinaryOperator::ShiftLeft", "k << §; a[§] <<= 3;"),
    ("BinaryOperator::ShiftRight", "k >> §; a[§] >>= 3;"),
    ("BinaryOperator::BitAnd", "k & §; a[§] &= 3;"),
    ("BinaryOperator::BitOr", "k | §; a[§] |= 3;"),
    ("BinaryOperator::BitXor", "k ^ §; a[§] ^= 3;"),
    ("BinaryOperator::Less", "k < §;"),
    ("BinaryOperator::LessOrEqual", "k <= §;"),
    ("BinaryOperator::Greater", "k > §;"),
    ("BinaryOperator::GreaterOrEqual", "k >= §;"),
    ("BinaryOperator::Equal", "k == §;"),
    ("BinaryOperator::NotEqual", "k != §;"),
];

/// The kinds that the tree's declarations have.
fn kinds() -> Vec<String> {
    let mut kinds = Vec::new();
    let mut enumeration = None;
    for line in SYNTAX.iter().flat_map(|file| file.lines()) {
        if let Some(rest) = line.strip_prefix("pub enum ") {
            enumeration = rest.split(|c: char| !c.is_alphanumeric()).next();
        } else if line == "}" {
            enumeration = None;
        } else if let (Some(name), Some(variant)) = (enumeration, line.strip_prefix("    "))
            && variant.starts_with(|c: char| c.is_ascii_uppercase())
        {
            let variant: String = variant.chars().take_while(|c| c.is_alphanumeric()).collect();
            kinds.push(format!("{name}::{variant}"));
        }
    }
    kinds
}

fn program_of(kind: &str, sample: &str) -> String {
    let (body, before) = sample.split_once('@').unwrap_or((sample, ""));
    // These are only there in snippets, where statements stand alone, and an unknown value is `*`.
    match kind {
        "Item::Statement" => format!("int i; {body}"),
        "ExpressionKind::Unknown" => format!("int i; i = *; {body}"),
        _ => format!("int i, k, a[4]; {before} int main(void) {{ {body} return 0; }}"),
    }
}

/// How often what stands for an operand is there, and whether something may do anything.
fn evaluated(program: &Program) -> (usize, bool) {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut instructions = bodies
        .flat_map(|body| &body.blocks)
        .flat_map(|block| &block.instructions);
    let is_anything = instructions.any(|instruction| {
        let effect = match &instruction.kind {
            InstructionKind::Unsupported { effect, .. } => Some(effect),
            _ => None,
        };
        effect == Some(&Effect::Anything)
    });
    (program.to_string().matches("i = 7").count(), is_anything)
}

#[test]
fn every_kind_of_node_is_translated_with_its_operands_or_refused() {
    let files = SYNTAX[0].lines().filter(|line| line.starts_with("mod ")).count();
    assert_eq!(files + 1, SYNTAX.len(), "a file of the tree is not looked at");
    let mut missing = kinds();
    assert!(missing.len() > 90, "{missing:?}");
    let mut wrong = Vec::new();
    for (kind, sample) in SAMPLES {
        missing.retain(|other| other != kind);
        let operands = sample.matches(OPERAND).count();
        let text = program_of(kind, &sample.replace(OPERAND, "(i = 7, k)"));
        let is_snippet = matches!(*kind, "Item::Statement" | "ExpressionKind::Unknown");
        let arena = Bump::new();
        let Some(unit) = parse(&arena, &text, is_snippet).product else {
            wrong.push(format!("{kind}: it is no C: {text}"));
            continue;
        };
        let variant = kind.split("::").nth(1).unwrap_or_default();
        let tree = format!("{unit:?}");
        if !tree.split(|c: char| !c.is_alphanumeric()).any(|word| word == variant) {
            wrong.push(format!("{kind}: it is not there: {text}"));
        }
        let options = Options {
            snippet: is_snippet,
            ..Options::default()
        };
        let Some(program) = lower(&unit, &options).product else {
            continue;
        };
        let (found, is_anything) = evaluated(&program);
        if !is_anything && found < operands {
            wrong.push(format!("{kind}: {found} of {operands} operands: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(missing, [""; 0], "they have no program in `SAMPLES`");
}
