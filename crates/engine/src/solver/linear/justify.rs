//! What still has to be decided for the assumptions to hold: a disjunction needs one part that holds, a conjunction all.
//!
//! Nothing else is ever decided: atoms of formulas that are not assumed now, or of disjuncts that are not needed, stay out
//! of the tableau.

use super::boolean::Literal;
use super::formulas::Kind;
use super::number::Delta;
use super::search::Search;

/// How deep the choice among disjuncts looks into them.
const LOOK_AHEAD: u32 = 4;

/// What a literal needs.
enum Need {
    /// Nothing.
    Nothing,
    /// This must be decided.
    Decision(Literal),
    /// These must be justified first.
    Parts(Vec<Literal>),
}

/// How far everything that is assumed, decided or defined is known to be justified, so that it is not looked at again for each
/// decision.
#[derive(Default)]
pub struct Progress {
    /// How many of the literals that are placed.
    placed: usize,
    /// How many of the definitions.
    definitions: usize,
    /// What both were before something was found justified at a level.
    before: Vec<(usize, usize, usize)>,
}

impl Progress {
    /// Forgets what was found at higher levels.
    pub fn back_to(&mut self, level: usize) {
        while let Some((_, placed, definitions)) = self.before.pop_if(|(at, ..)| *at > level) {
            (self.placed, self.definitions) = (placed, definitions);
        }
    }

    fn save(&mut self, level: usize) {
        if self.before.last().is_none_or(|(at, ..)| *at < level) {
            self.before.push((level, self.placed, self.definitions));
        }
    }
}

impl Search {
    /// A literal to decide so that what is assumed gets closer to being justified; none if all of it is.
    pub fn unjustified(&mut self) -> Option<Literal> {
        self.progress.save(self.boolean.level());
        let from = self.progress.placed + self.progress.definitions;
        let mut open = None;
        while open.is_none()
            && let Some(root) = self.placed().get(self.progress.placed).copied()
        {
            open = self.open_part(root);
            self.progress.placed += usize::from(open.is_none());
        }
        while open.is_none()
            && let Some(root) = self.definitions.get(self.progress.definitions).copied()
        {
            open = self.open_part(root);
            self.progress.definitions += usize::from(open.is_none());
        }
        self.looked_at += (self.progress.placed + self.progress.definitions - from + 1) as u64;
        open
    }

    /// A literal to decide so that a formula gets closer to being justified; none if it is.
    fn open_part(&mut self, root: Literal) -> Option<Literal> {
        if !self.needs_parts(root) {
            return None;
        }
        let mut stack = vec![root];
        while let Some(&literal) = stack.last() {
            match self.need(literal) {
                Need::Nothing => {
                    self.note_justified(literal);
                    stack.pop();
                }
                Need::Decision(literal) => return Some(literal),
                Need::Parts(parts) => stack.extend(parts),
            }
        }
        None
    }

    fn needs_parts(&self, literal: Literal) -> bool {
        let variable = literal.variable();
        let is_compound = matches!(self.formulas.kind(variable), Kind::Or(_) | Kind::Equality { .. });
        is_compound && !self.is_justified[variable as usize]
    }

    fn note_justified(&mut self, literal: Literal) {
        let variable = literal.variable();
        if !self.is_justified[variable as usize] {
            self.is_justified[variable as usize] = true;
            self.justified.push((variable, self.boolean.level()));
        }
    }

    fn need(&self, literal: Literal) -> Need {
        if self.boolean.value(literal).is_none() {
            return Need::Decision(literal);
        }
        if self.is_justified[literal.variable() as usize] {
            return Need::Nothing;
        }
        match self.formulas.kind(literal.variable()) {
            Kind::Free | Kind::AtMost(..) => Need::Nothing,
            // A false equality is looked after once the tableau has values.
            Kind::Equality { .. } if literal.is_negated() => Need::Nothing,
            Kind::Equality { at_most, at_least, .. } => self.all_of(&[*at_most, *at_least]),
            Kind::Or(parts) if literal.is_negated() => {
                let negated: Vec<Literal> = parts.iter().map(|part| !*part).collect();
                self.all_of(&negated)
            }
            Kind::Or(parts) => self.one_of(parts),
        }
    }

    fn all_of(&self, parts: &[Literal]) -> Need {
        if let Some(open) = parts.iter().find(|part| self.boolean.value(**part).is_none()) {
            return Need::Decision(*open);
        }
        let waiting: Vec<Literal> = parts.iter().copied().filter(|part| self.needs_parts(*part)).collect();
        if waiting.is_empty() {
            Need::Nothing
        } else {
            Need::Parts(waiting)
        }
    }

    fn one_of(&self, parts: &[Literal]) -> Need {
        let holds = |part: &&Literal| self.boolean.value(**part) == Some(true);
        if parts.iter().filter(holds).any(|part| !self.needs_parts(*part)) {
            return Need::Nothing;
        }
        if let Some(part) = parts.iter().find(holds) {
            return Need::Parts(vec![*part]);
        }
        // What holds already costs nothing in the tableau.
        let open = |part: &&Literal| self.boolean.value(**part).is_none();
        let cheap = parts
            .iter()
            .filter(open)
            .find(|part| self.holds_now(**part, LOOK_AHEAD));
        match cheap.or_else(|| parts.iter().find(open)) {
            Some(part) => Need::Decision(*part),
            None => Need::Nothing,
        }
    }

    /// Whether a literal holds in the tableau's assignment, as far as `depth` lets one see.
    fn holds_now(&self, literal: Literal, depth: u32) -> bool {
        if let Some(value) = self.boolean.value(literal) {
            return value;
        }
        let positive = match self.formulas.kind(literal.variable()) {
            Kind::Free => false,
            Kind::AtMost(column, bound) => self.simplex.value(*column) <= *bound,
            Kind::Equality { column, value, .. } => self.simplex.value(*column) == Delta::exactly(value.clone()),
            Kind::Or(_) if depth == 0 => return false,
            // Seen from a conjunction, a disjunct that cannot be seen counts as one that holds, and so against it.
            Kind::Or(parts) if literal.is_negated() => {
                return parts.iter().all(|part| self.holds_now(!*part, depth - 1));
            }
            Kind::Or(parts) => parts.iter().any(|part| self.holds_now(*part, depth - 1)),
        };
        positive != literal.is_negated()
    }
}
