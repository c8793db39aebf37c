//! Scripts that ask more than one question: `push`, `pop`, `reset`, and assertions after a `(check-sat)`. Each question becomes a
//! script of its own, in which everything else is blank, so that places stay what they are.

use super::expression::{Command, Kind, read_all};
use super::lexer::Span;
use super::problems::Problems;
use crate::diagnostics::Diagnostic;
use bumpalo::Bump;

/// What a command does to what comes after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It stays in force until what it is inside of is popped: declarations, definitions, assertions.
    Scoped,
    /// It stays in force until a `(reset)`.
    Global,
    /// It asks whether the assertions are satisfiable.
    Question,
    /// It asks something else, or prints.
    Request,
    Push(usize),
    Pop(usize),
    Reset,
    ResetAssertions,
}

/// The questions of a script.
pub struct Stages<'a> {
    source: &'a str,
    commands: Vec<(Span, Effect)>,
    /// The position of the command that asks each question first; the same question asked again is no new one.
    questions: Vec<usize>,
}

/// Takes a script apart by its questions.
///
/// ```
/// # use clausal_rules as clausal;
/// let script = "(declare-fun p (Int) Bool) (assert (p 0)) (push) (assert (not (p 0))) (check-sat) (pop) (check-sat)";
/// let stages = clausal::horn::stages(script).expect("it is in order");
/// assert_eq!(stages.count(), 2);
/// assert!(stages.text(0).contains("(not (p 0))") && !stages.text(1).contains("(not (p 0))"));
/// assert_eq!(stages.text(1).find("(assert (p 0))"), script.find("(assert (p 0))"));
/// ```
///
/// # Errors
///
/// A `pop` of more than was pushed. Whatever else is wrong with a script is found when its stages are read.
pub fn stages(source: &str) -> Result<Stages<'_>, Diagnostic> {
    let arena = Bump::new();
    let mut problems = Problems::default();
    let mut commands = Vec::new();
    let mut questions = Vec::new();
    let mut depth = 0_usize;
    let mut is_new = true;
    for command in read_all(source, &arena, &mut problems) {
        if command.expression.application().is_some_and(|(name, _)| name == "exit") {
            break;
        }
        let (span, effect) = (command.expression.span, effect(&command));
        match effect {
            Effect::Question => {
                if is_new {
                    questions.push(commands.len());
                }
                is_new = false;
            }
            Effect::Request => {}
            Effect::Push(count) => depth = depth.saturating_add(count),
            Effect::Pop(count) => {
                depth = depth.checked_sub(count).ok_or_else(|| {
                    let error = Diagnostic::error(span.range(), "nothing to pop", "more than was pushed");
                    error.help("a `(pop)` takes back a `(push)` before it")
                })?;
                is_new = true;
            }
            Effect::Reset | Effect::ResetAssertions => {
                depth = 0;
                is_new = true;
            }
            Effect::Scoped | Effect::Global => is_new = true,
        }
        commands.push((span, effect));
    }
    Ok(Stages {
        source,
        commands,
        questions,
    })
}

fn effect(command: &Command<'_>) -> Effect {
    let Some((name, arguments)) = command.expression.application() else {
        return Effect::Scoped;
    };
    let count = match arguments {
        [] => Some(1),
        [only] => match only.kind {
            Kind::Numeral(text) => text.parse().ok(),
            _ => None,
        },
        _ => None,
    };
    match (name, count) {
        ("check-sat", _) => Effect::Question,
        ("set-logic" | "set-option" | "set-info", _) => Effect::Global,
        ("echo" | "get-model" | "get-proof" | "get-info" | "get-option" | "get-assertions" | "get-unsat-core", _) => {
            Effect::Request
        }
        ("push", Some(count)) => Effect::Push(count),
        ("pop", Some(count)) => Effect::Pop(count),
        ("reset", _) => Effect::Reset,
        ("reset-assertions", _) => Effect::ResetAssertions,
        _ => Effect::Scoped,
    }
}

impl Stages<'_> {
    /// How many questions are asked; one if none is.
    pub fn count(&self) -> usize {
        self.questions.len().max(1)
    }

    /// The script of a question: what is in force when it is asked, and what is asked for from then on, up to the next one.
    pub fn text(&self, stage: usize) -> String {
        let is_simple = self.count() == 1
            && !self.commands.iter().any(|(_, effect)| {
                matches!(
                    effect,
                    Effect::Push(_) | Effect::Pop(_) | Effect::Reset | Effect::ResetAssertions
                )
            });
        if is_simple {
            return self.source.to_string();
        }
        let start = self.questions.get(stage).copied().unwrap_or(0);
        let end = self.questions.get(stage + 1).copied().unwrap_or(self.commands.len());
        let mut in_force: Vec<usize> = Vec::new();
        // How many commands were in force when each scope was opened.
        let mut scopes: Vec<usize> = Vec::new();
        for (position, (_, effect)) in self.commands[..start].iter().enumerate() {
            match effect {
                Effect::Scoped | Effect::Global => in_force.push(position),
                Effect::Question => {}
                // What is printed before the first question is asked.
                Effect::Request if stage == 0 => in_force.push(position),
                Effect::Request => {}
                Effect::Push(count) => {
                    scopes.extend(std::iter::repeat_n(in_force.len(), (*count).min(self.commands.len())))
                }
                Effect::Pop(count) => {
                    let kept = scopes.len().saturating_sub(*count);
                    if let Some(length) = scopes.get(kept) {
                        let global = |position: &usize| self.commands[*position].1 == Effect::Global;
                        let later: Vec<usize> = in_force.split_off(*length).into_iter().filter(global).collect();
                        in_force.extend(later);
                    }
                    scopes.truncate(kept);
                }
                Effect::Reset => {
                    in_force.clear();
                    scopes.clear();
                }
                Effect::ResetAssertions => {
                    in_force.retain(|position| self.commands[*position].1 == Effect::Global);
                    scopes.clear();
                }
            }
        }
        let asked =
            (start..end).filter(|position| matches!(self.commands[*position].1, Effect::Question | Effect::Request));
        in_force.extend(asked);
        let mut text = String::with_capacity(self.source.len());
        for position in in_force {
            let span = self.commands[position].0;
            text.push_str(&blank(self.source.get(text.len()..span.start).unwrap_or_default()));
            text.push_str(self.source.get(span.start..span.end).unwrap_or_default());
        }
        text
    }
}

/// As many bytes that mean nothing, in the same lines.
fn blank(text: &str) -> String {
    let blank = text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    blank.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let stages = stages(source).unwrap_or_else(|error| panic!("{}", error.message));
        let text = |stage| stages.text(stage).split_whitespace().collect::<Vec<_>>().join(" ");
        (0..stages.count()).map(text).collect()
    }

    #[test]
    fn scopes_end_where_they_are_popped() {
        let script = "(set-logic HORN)(a)(push 2)(b)(check-sat)(get-model)(pop)(c)(check-sat)(pop 1)(check-sat)";
        assert_eq!(
            words(script),
            [
                "(set-logic HORN)(a) (b)(check-sat)(get-model)",
                "(set-logic HORN)(a) (c)(check-sat)",
                "(set-logic HORN)(a) (check-sat)",
            ]
        );
    }

    #[test]
    fn the_same_question_is_asked_once() {
        assert_eq!(words("(a)(check-sat)(check-sat)").len(), 1);
        assert_eq!(
            words("(a)(check-sat)(b)(check-sat)"),
            ["(a)(check-sat)", "(a) (b)(check-sat)"]
        );
        assert_eq!(words("(a)"), ["(a)"]);
        assert_eq!(words("(a)(check-sat)(exit)(b)(check-sat)").len(), 1);
    }

    #[test]
    fn resets_forget() {
        assert_eq!(
            words("(set-logic HORN)(a)(reset-assertions)(b)(check-sat)"),
            ["(set-logic HORN) (b)(check-sat)"]
        );
        assert_eq!(words("(set-logic HORN)(a)(reset)(b)(check-sat)"), ["(b)(check-sat)"]);
    }

    #[test]
    fn nothing_is_popped_that_was_not_pushed() {
        let error = stages("(push)(pop 2)").err().expect("an error");
        assert_eq!(error.message, "nothing to pop");
        assert!(stages("(push 99999999999999999999)").is_ok());
    }
}
