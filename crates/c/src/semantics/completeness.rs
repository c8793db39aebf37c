//! Every name and attribute in the tables, and one that is in none: what is made of a program that uses it. New entries are
//! tested without anybody's thinking of it.

use super::attributes::{ATTRIBUTES, AttributeMeaning};
use super::conventions::{BUILTIN_PREFIXES, Meaning};
use super::lower;
use super::names::{ALWAYS, without_body};
use crate::options::Options;
use crate::parser::parse;
use crate::program::{Effect, InstructionKind, Program};
use bumpalo::Bump;

fn translated(text: &str) -> Option<Program> {
    let arena = Bump::new();
    let unit = parse(&arena, text, false).product?;
    lower(&unit, &Options::default()).product
}

/// The kinds of arguments that some function of the tables takes.
const ARGUMENTS: &[&str] = &[
    "4",
    "4, 4",
    "4, n",
    "b",
    "b, 4",
    "b, b",
    "b, 4, 4",
    "b, b, 4",
    "b, b, b",
    "\"%d\", x",
    "b, \"%d\", x",
    "n, 4",
    "n, 4, 4",
    "n, n, 4, 0, 0, 0",
    "n, n, n, 0",
    "4, 4, n",
    "4, b, b",
    "4.0, 4.0",
    "v, v",
    "v, v, 0, 1",
];

/// The first argument with a side effect, and the others.
fn with_side_effect(arguments: &str) -> String {
    match arguments.split_once(',') {
        Some((first, rest)) => format!("(i = 7, {first}),{rest}"),
        None => format!("(i = 7, {arguments})"),
    }
}

#[test]
fn every_known_function_evaluates_its_arguments() {
    let mut unused = Vec::new();
    for (name, meaning) in ALWAYS.iter().chain(without_body()) {
        let mut is_accepted = false;
        for arguments in ARGUMENTS {
            let call = format!("{name}({})", with_side_effect(arguments));
            let declared = "int i, x, *n; char *b; int v __attribute__((vector_size (8)));";
            let text = format!("{declared} int main() {{ n = &x; {call}; return 0; }}");
            let Some(program) = translated(&text) else { continue };
            is_accepted = true;
            let evaluates = program.to_string().contains("i = 7");
            match meaning {
                // The one is about the program, and the others look at their arguments without evaluating them.
                Meaning::Advice | Meaning::IsConstant | Meaning::Unevaluated => assert!(!evaluates, "{call}"),
                // Its condition has to be a constant.
                Meaning::Chooses => {}
                _ => assert!(evaluates, "{call}"),
            }
        }
        if !is_accepted {
            unused.push(*name);
        }
    }
    // They are refused whatever their arguments are, or need a constant.
    unused.retain(|name| !name.contains("jmp") && *name != "__builtin_choose_expr");
    assert_eq!(unused, [""; 0]);
}

#[test]
fn every_known_function_has_a_body_when_it_is_a_value() {
    for (name, meaning) in ALWAYS.iter().chain(without_body()) {
        if matches!(meaning, Meaning::Jumps) {
            continue;
        }
        for kind in [
            "int {}(int)",
            "void {}(char *, char *, int)",
            "int {}()",
            "int {}(char *, ...)",
        ] {
            let declaration = kind.replace("{}", name);
            let text = format!("{declaration}; void *p; int main() {{ p = (void *){name}; return 0; }}");
            let program = translated(&text).unwrap_or_else(|| panic!("{text}"));
            let function = program.functions.iter().find(|function| function.name == *name);
            assert!(function.is_some_and(|function| function.body.is_some()), "{text}");
        }
    }
}

#[test]
fn unknown_functions_of_the_compiler_may_do_anything() {
    for prefix in BUILTIN_PREFIXES {
        let text = format!("int main() {{ int x = 0; {prefix}nobody_knows(&x); return 0; }}");
        let program = translated(&text).unwrap_or_else(|| panic!("{text}"));
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let mut instructions = bodies
            .flat_map(|body| &body.blocks)
            .flat_map(|block| &block.instructions);
        let is_anything = instructions.any(|instruction| {
            matches!(
                instruction.kind,
                InstructionKind::Unsupported {
                    effect: Effect::Anything,
                    ..
                }
            )
        });
        assert!(is_anything, "{text}");
    }
}

#[test]
fn every_attribute_is_understood_or_refused() {
    let places = |attribute: &str| {
        [
            format!("__attribute__(({attribute})) int f(int x) {{ return x; }} int main() {{ return 0; }}"),
            format!("int f(int) __attribute__(({attribute})); int main() {{ return 0; }}"),
            format!("int v __attribute__(({attribute})); int main() {{ return 0; }}"),
            format!("struct __attribute__(({attribute})) s {{ int m; }}; int main() {{ return 0; }}"),
            format!("struct s {{ int m; }} __attribute__(({attribute})); int main() {{ return 0; }}"),
            format!("struct s {{ int m __attribute__(({attribute})); }}; int main() {{ return 0; }}"),
            format!("enum __attribute__(({attribute})) e {{ E }}; int main() {{ return 0; }}"),
            format!("typedef int t __attribute__(({attribute})); int main() {{ return 0; }}"),
            format!("int f(int x __attribute__(({attribute}))); int main() {{ return 0; }}"),
            format!("int f(int x __attribute__(({attribute}))) {{ return x; }} int main() {{ return 0; }}"),
            format!("int main() {{ int v __attribute__(({attribute})); return 0; }}"),
            format!("int main() {{ int *__attribute__(({attribute})) v; return 0; }}"),
            format!("int main() {{ return sizeof(int __attribute__(({attribute}))); }}"),
        ]
    };
    for (name, meaning) in ATTRIBUTES {
        for (position, text) in places(name).iter().enumerate() {
            match meaning {
                AttributeMeaning::Nothing => assert!(translated(text).is_some(), "{text}"),
                AttributeMeaning::Refused => assert!(translated(text).is_none(), "{position}: {text}"),
                // What becomes of these depends on where they stand and is tested there.
                AttributeMeaning::Layout
                | AttributeMeaning::Constructor
                | AttributeMeaning::Destructor
                | AttributeMeaning::NeverReturns
                | AttributeMeaning::NeverNull
                | AttributeMeaning::OtherName
                | AttributeMeaning::Cleanup
                | AttributeMeaning::Weak => {}
            }
        }
    }
    // What no compiler knows is ignored.
    for text in places("nobody_knows").iter().chain(&places("__nobody_knows__")) {
        assert!(translated(text).is_some(), "{text}");
    }
    for attribute in ["nobody_knows", "assume(1)"] {
        let is_known = attribute != "nobody_knows";
        for text in [
            format!("int main() {{ __attribute__(({attribute})); return 0; }}"),
            format!("int main() {{ goto l; l: __attribute__(({attribute})) ; return 0; }}"),
            format!("enum e {{ E __attribute__(({attribute})) }}; int main() {{ return 0; }}"),
        ] {
            assert_eq!(translated(&text).is_none(), is_known, "{text}");
        }
    }
}
