//! Every malformed C text in `examples/c-reject` is refused, with diagnostics that are kept as snapshots.

use std::path::Path;

#[test]
fn malformed_c_is_refused_helpfully() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c-reject");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of malformed texts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 40, "only {} malformed texts", files.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/reject");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for file in files {
            let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            let source = std::fs::read_to_string(&file).expect("a text");
            let arena = bumpalo::Bump::new();
            let reading = clausal::c::parser::parse(&arena, &source, false);
            // What can be read may still have no meaning.
            let diagnostics = match reading.product {
                None => reading.diagnostics,
                Some(_) => {
                    let translated = clausal::c::translate(&source, &clausal::c::options::Options::default());
                    assert!(translated.product.is_none(), "{name} is accepted");
                    translated.diagnostics
                }
            };
            let text = clausal::diagnostics::render(&diagnostics, &format!("{name}.c"), &source);
            insta::assert_snapshot!(format!("c-{name}"), text);
        }
    });
}

/// What is right C but not translated is one error of its own kind, whatever it may have declared for the rest of the text.
#[test]
fn what_is_refused_is_no_mistake() {
    use clausal::diagnostics::{Reason, Severity};
    let texts = [
        (
            "typedef _BitInt(24) t; union u { t v; int a[4]; }; int main(void) { union u x; x.v = 1; t y; return y + x.v; }",
            "integers of a number of bits of their own",
        ),
        (
            "int main(int n, char **v) { union s { int x[n]; } y; y.x[0] = 1; return 0; }",
            "a length that is computed",
        ),
        (
            "int f(int n) { __label__ out; void g(void) { goto out; } void (*p)(void) = g; p(); out: return n; } int main(void) { return f(1); }",
            "a jump out of a function inside whose address is taken",
        ),
        (
            "register void *p asm(\"rbx\"); int main(void) { return p == 0; }",
            "is a register",
        ),
    ];
    for (text, named) in texts {
        let refused = clausal::c::translate(text, &clausal::c::options::Options::default());
        let errors: Vec<_> = refused
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .collect();
        assert!(refused.product.is_none(), "{text}");
        assert!(
            errors.iter().all(|error| error.reason == Reason::Unsupported),
            "{errors:?}"
        );
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].message.contains(named), "{errors:?}");
    }
}
