//! Substitution of terms for variables, on an explicit stack.

use super::{Comparison, LinearForm, Operator, SortId, TermId, Terms};
use hashbrown::HashMap;

/// A simultaneous substitution of terms for variables, or for other terms that contain variables.
///
/// Where a replaced term contains another one, the outer one is replaced.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    /// What is replaced and by what, by ascending id of the former.
    replacements: Vec<(TermId, TermId)>,
    summary: u64,
    /// Whether something other than a variable is replaced, so that inner terms have to be looked up.
    has_compounds: bool,
}

impl Substitution {
    /// The empty substitution.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// The substitution of `terms` for `variables`, position by position.
    pub fn of(table: &Terms, variables: &[TermId], terms: &[TermId]) -> Substitution {
        let mut substitution = Substitution {
            replacements: Vec::with_capacity(variables.len()),
            ..Substitution::default()
        };
        for (variable, term) in variables.iter().zip(terms) {
            substitution.insert(table, *variable, *term);
        }
        substitution
    }

    /// Adds `variable ↦ term`, replacing what the variable was mapped to.
    pub fn insert(&mut self, table: &Terms, variable: TermId, term: TermId) {
        // Variables nearly always come in the order of their ids, and looking for the place is then quickly done.
        match self.position(variable) {
            Ok(position) => self.replacements[position].1 = term,
            // A variable that stays itself, as most parameters do, needs no mention.
            Err(_) if variable == term && table.is_variable(variable) => {}
            Err(position) => {
                self.summary |= table.variable_summary(variable);
                self.has_compounds |= !table.is_variable(variable);
                self.replacements.insert(position, (variable, term));
            }
        }
    }

    /// What becomes of a term as a whole, if that can be said without a look at its parts.
    fn of_whole(&self, table: &Terms, term: TermId) -> Option<TermId> {
        if table.variable_summary(term) & self.summary == 0 {
            return Some(term);
        }
        let is_variable = table.is_variable(term);
        let replaced = match is_variable || self.has_compounds {
            true => self.get(term),
            false => None,
        };
        replaced.or_else(|| is_variable.then_some(term))
    }

    /// What a variable is mapped to, if anything.
    pub fn get(&self, variable: TermId) -> Option<TermId> {
        let position = self.position(variable).ok()?;
        Some(self.replacements[position].1)
    }

    fn position(&self, variable: TermId) -> Result<usize, usize> {
        if self.replacements.last().is_none_or(|(last, _)| *last < variable) {
            return Err(self.replacements.len());
        }
        self.replacements
            .binary_search_by_key(&variable, |(replaced, _)| *replaced)
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }
}

impl Terms {
    /// `term` with every variable replaced as the substitution says, normalized anew.
    pub fn substitute(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        let mut done = HashMap::new();
        self.substitute_shared(term, substitution, &mut done)
    }

    /// [`Terms::substitute`] for several terms, sharing the work on common parts.
    pub fn substitute_all(&mut self, terms: &[TermId], substitution: &Substitution) -> Vec<TermId> {
        let mut done = HashMap::new();
        terms
            .iter()
            .map(|term| self.substitute_shared(*term, substitution, &mut done))
            .collect()
    }

    /// Formulas with what equations between terms say of variables put in, one variable after another, as far as these `may_go`.
    pub fn with_equations_put_in(
        &mut self,
        formulas: &[TermId],
        may_go: &dyn Fn(&Terms, TermId) -> bool,
    ) -> Vec<TermId> {
        let mut all: Vec<TermId> = formulas.iter().flat_map(|formula| self.conjuncts(*formula)).collect();
        loop {
            let solution = all.iter().find_map(|formula| {
                let (Operator::Equal, &[left, right]) = (self.operator(*formula), self.arguments(*formula)) else {
                    return None;
                };
                let fits = |variable: TermId, term: TermId| {
                    self.is_variable(variable) && may_go(self, variable) && !self.variables(term).contains(&variable)
                };
                match (fits(left, right), fits(right, left)) {
                    (true, _) => Some((left, right)),
                    (_, true) => Some((right, left)),
                    _ => None,
                }
            });
            let Some((variable, term)) = solution else {
                return all;
            };
            let substitution = Substitution::of(self, &[variable], &[term]);
            let replaced = self.substitute_all(&all, &substitution);
            all = replaced
                .into_iter()
                .flat_map(|formula| self.conjuncts(formula))
                .collect();
            all.retain(|formula| *formula != TermId::TRUE);
        }
    }

    fn substitute_shared(
        &mut self,
        term: TermId,
        substitution: &Substitution,
        done: &mut HashMap<TermId, TermId>,
    ) -> TermId {
        if let Some(whole) = substitution.of_whole(self, term) {
            return whole;
        }
        if let Some(atom) = self.substitute_in_atom(term, substitution) {
            return atom;
        }
        let whole = |terms: &Terms, current: TermId| substitution.of_whole(terms, current);
        self.rewritten(term, done, whole, |_, built| built)
    }

    /// A linear comparison of variables, or the negation of one, in which only variables are replaced: by far the most
    /// frequent formulas. `None` for anything else.
    fn substitute_in_atom(&mut self, term: TermId, substitution: &Substitution) -> Option<TermId> {
        if substitution.has_compounds {
            return None;
        }
        let comparison = match self.operator(term) {
            Operator::Not => {
                let atom = self.substitute_in_atom(*self.arguments(term).first()?, substitution)?;
                return Some(self.not(atom));
            }
            Operator::Equal => Comparison::Equal,
            Operator::LessOrEqual => Comparison::LessOrEqual,
            Operator::Less => Comparison::Less,
            _ => return None,
        };
        let [left, right] = *self.arguments(term) else {
            return None;
        };
        let bound = self.number_value(right)?;
        let sort = self.sort(left);
        if !sort.is_numeric() {
            return None;
        }
        if let Operator::Variable(_) = self.operator(left) {
            let replaced = substitution.get(left).unwrap_or(left);
            return Some(self.compare(replaced, right, comparison));
        }
        let mut constant = -bound;
        let mut parts = Vec::new();
        for (variable, coefficient) in self.linear_form(left).terms {
            if !self.is_variable(variable) {
                return None;
            }
            match substitution.get(variable) {
                Some(replaced) => {
                    let replaced = self.linear_form(replaced);
                    constant += &replaced.constant * &coefficient;
                    let scaled = replaced.terms.into_iter();
                    parts.extend(scaled.map(|(term, factor)| (term, &factor * &coefficient)));
                }
                None => parts.push((variable, coefficient)),
            }
        }
        let form = LinearForm::collected(parts, constant);
        Some(self.linear_formula(&form, comparison, sort))
    }

    /// The term with parts replaced, on a stack of its own. What `whole` answers for stands for a part without a look inside;
    /// `after` may replace a part whose own parts have been replaced. `done` remembers what has become of each part.
    pub fn rewritten(
        &mut self,
        term: TermId,
        done: &mut HashMap<TermId, TermId>,
        whole: impl Fn(&Terms, TermId) -> Option<TermId>,
        mut after: impl FnMut(&mut Terms, TermId) -> TermId,
    ) -> TermId {
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if done.contains_key(&current) {
                stack.pop();
                continue;
            }
            if let Some(result) = whole(self, current) {
                done.insert(current, result);
                stack.pop();
                continue;
            }
            let arguments = self.arguments(current).to_vec();
            let before = stack.len();
            stack.extend(arguments.iter().filter(|argument| !done.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let replaced: Vec<TermId> = arguments
                .iter()
                .map(|argument| done.get(argument).copied().unwrap_or(*argument))
                .collect();
            let built = if replaced == arguments {
                current
            } else {
                self.with_arguments(current, &replaced)
            };
            let result = after(self, built);
            done.insert(current, result);
            stack.pop();
        }
        done.get(&term).copied().unwrap_or(term)
    }

    /// The term with `term`'s operator over other arguments, through the normalizing constructors.
    pub fn with_arguments(&mut self, term: TermId, arguments: &[TermId]) -> TermId {
        self.applied(self.operator(term), self.sort(term), arguments)
            .unwrap_or(term)
    }

    /// A term of another table, in this one. The first `shared` terms of both are the same; all variables have to be among them.
    pub fn copied_from(&mut self, other: &Terms, shared: usize, term: TermId) -> TermId {
        let mut done: HashMap<TermId, TermId> = HashMap::new();
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if done.contains_key(&current) {
                stack.pop();
                continue;
            }
            if current.index() < shared {
                done.insert(current, current);
                continue;
            }
            let arguments = other.arguments(current);
            let before = stack.len();
            stack.extend(arguments.iter().filter(|argument| !done.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let copies: Vec<TermId> = arguments
                .iter()
                .filter_map(|argument| done.get(argument).copied())
                .collect();
            let copy = match other.number_value(current) {
                Some(value) => self.number(value.clone(), other.sort(current)),
                None => self
                    .applied(other.operator(current), other.sort(current), &copies)
                    .unwrap_or(current),
            };
            done.insert(current, copy);
        }
        done.get(&term).copied().unwrap_or(term)
    }

    /// An operator over arguments, through the normalizing constructors; `None` if it has none.
    fn applied(&mut self, operator: Operator, sort: SortId, arguments: &[TermId]) -> Option<TermId> {
        let applied = match (operator, arguments) {
            (Operator::Add, all) => self.sum(all, sort),
            (Operator::Multiply, [first, rest @ ..]) => {
                rest.iter().fold(*first, |product, part| self.multiply(product, *part))
            }
            (Operator::Divide, [a, b]) => self.divide(*a, *b),
            (Operator::IntegerDivide, [a, b]) => self.integer_divide(*a, *b),
            (Operator::Modulo, [a, b]) => self.modulo(*a, *b),
            (Operator::ToReal, [a]) => self.to_real(*a),
            (Operator::ToInteger, [a]) => self.to_integer(*a),
            (Operator::IfThenElse, [c, a, b]) => self.if_then_else(*c, *a, *b),
            (Operator::Select, [a, i]) => self.select(*a, *i),
            (Operator::Store, [a, i, v]) => self.store(*a, *i, *v),
            (Operator::ConstantArray, [v]) => self.constant_array(sort, *v),
            (Operator::Construct(constructor), all) => self.construct(constructor, all),
            (Operator::Field(field), [a]) => self.field_of(field, *a),
            (Operator::IsMadeBy(constructor), [a]) => self.is_made_by(constructor, *a),
            (Operator::Apply(function), all) => return self.call(function, all),
            (Operator::Measure(measure), [a]) => self.measure_of(measure, *a),
            (Operator::Word(operator), [first, ..]) => {
                let width = self.width(self.sort(*first)).unwrap_or(0);
                self.word_term(operator, arguments, width, sort)
            }
            (Operator::Float(operator), all) => self.float_term(operator, all, sort),
            (Operator::Equal, [a, b]) => self.equal(*a, *b),
            (Operator::LessOrEqual, [a, b]) => self.less_or_equal(*a, *b),
            (Operator::Less, [a, b]) => self.less(*a, *b),
            (Operator::Not, [a]) => self.not(*a),
            (Operator::And, all) => self.and(all),
            (Operator::Or, all) => self.or(all),
            _ => return None,
        };
        Some(applied)
    }
}
