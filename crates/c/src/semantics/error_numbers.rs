//! `errno` (docs/c.md, *Names with a meaning*): a variable of the [library](crate::library), for programs that use it.
//! Functions of the library that are written in C say what they do to it, but for those of `math.h`. Any other one, and a function without a body, may
//! leave another number there, of which nothing is known: no error rests on it.

use super::names::{is_mathematical, may_change_errno};
use super::scopes::Entity;
use super::{Checked, Semantics};
use crate::syntax::{self, Span};

/// The number that nothing is known of, in the library's text.
pub(super) const UNKNOWN_ERRNO: &str = "__clausal_unknown_errno";

/// The function of the library that puts such a number there.
const CHANGE: &str = "__clausal_change_errno";

impl<'a> Semantics<'a, '_> {
    /// The call that has just been made may have changed the error number.
    pub(super) fn change_errno(&mut self, callee: &'a syntax::Expression<'a>, span: Span) -> Checked<()> {
        if self.library.contains_key(CHANGE) && self.may_change_errno(callee) {
            self.library_call(CHANGE, Vec::new(), span)?;
        }
        Ok(())
    }

    fn may_change_errno(&self, callee: &syntax::Expression<'a>) -> bool {
        let Some(name) = super::name_of(callee) else {
            return true;
        };
        if let Some((name, _)) = self.known_meaning(callee) {
            return may_change_errno(self.symbols.symbol(name));
        }
        match self.scopes.find(name).map(|found| &found.what) {
            None | Some(Entity::Function(_)) => {
                let name = self.symbols.symbol(name);
                let calculates = self.library.contains_key(super::models::without_prefix(name))
                    && is_mathematical(name)
                    && may_change_errno(name);
                calculates || !self.defined.contains(self.name_in_library(name))
            }
            // A pointer.
            Some(_) => true,
        }
    }
}
