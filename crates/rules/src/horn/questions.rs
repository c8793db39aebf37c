//! What a script asks of its solver beside the clauses that it states: whether they are satisfiable, for a model, for a proof,
//! and within which time. Options that other solvers have, and this one does not, change no answer and are left alone.

use super::expression::Expression;
use super::reader::Reader;
use std::time::Duration;

/// A command that is answered with text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// `(check-sat)`
    Satisfiable,
    /// `(get-model)`
    Model,
    /// `(get-proof)`
    Proof,
    /// `(echo "…")`, with the text as it is written, quotation marks included.
    Echo(String),
}

/// What a script asks.
#[derive(Clone, Default, Debug)]
pub struct Questions {
    /// The commands that are answered, in their order.
    pub requests: Vec<Request>,
    /// The time for an answer, as `(set-option :timeout …)` says it, in milliseconds.
    pub timeout: Option<Duration>,
    /// Whether there is a `(query …)` of z3's, which asks for the opposite: whether something can be derived.
    pub has_query: bool,
}

impl<'a> Reader<'a> {
    /// Notes what a command asks.
    pub fn ask(&mut self, name: &str, arguments: &[Expression<'a>]) {
        let requests = &mut self.questions.requests;
        match (name, arguments) {
            ("check-sat", _) => requests.push(Request::Satisfiable),
            ("get-model", _) => requests.push(Request::Model),
            ("get-proof", _) => requests.push(Request::Proof),
            ("echo", [text]) => {
                let text = self.written(*text).to_string();
                self.questions.requests.push(Request::Echo(text));
            }
            ("query", _) => self.questions.has_query = true,
            ("set-option", [option, value]) if self.written(*option) == ":timeout" => {
                if let Ok(milliseconds) = self.written(*value).parse() {
                    self.questions.timeout = Some(Duration::from_millis(milliseconds));
                }
            }
            _ => {}
        }
    }
}
