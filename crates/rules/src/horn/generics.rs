//! Datatypes with parameters: `(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))`. Each sort that a text
//! makes of such a declaration, `(List Int)`, is a datatype of its own among the terms, declared when it is first spoken of, with names
//! that say which one it is (`List(Int)`, `cons(Int)`).
//!
//! Which datatype a constructor belongs to follows from its arguments, or is said by `as`; for fields, testers and patterns it follows from
//! the term that they look at. What answers a text speaks of its own names again ([`Spelling`]). The seeds know no datatypes.

use super::expression::{Expression, Kind};
use super::lexer::Span;
use super::names::write_symbol;
use super::problems::{Checked, Reported};
use super::reader::{Global, Reader};
use super::sorts::SortDefinition;
use super::terms::Located;
use crate::diagnostics::Diagnostic;
use crate::terms::{ConstructorId, FieldId, Sort, SortId};
use hashbrown::HashMap;

/// Longer names of sorts are refused: each level of a declaration that uses itself for larger and larger sorts doubles them.
const LONGEST_NAME: usize = 1_000;

/// A declaration with parameters, or one that was made together with such a one.
#[derive(Clone, Copy)]
pub(super) struct Generic<'a> {
    name: &'a str,
    parameters: &'a [Expression<'a>],
    /// Its constructors, as they are declared.
    constructors: &'a [Expression<'a>],
}

/// A constructor that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Constructed {
    One(ConstructorId),
    /// That of each sort made of a declaration: the declaration, and which of its constructors.
    Each(usize, usize),
}

/// A field that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Selected {
    One(FieldId),
    /// That of each sort made of a declaration: the declaration, which of its constructors, and which of the fields.
    Each(usize, usize, usize),
}

/// All declarations with parameters, and the sorts made of them.
#[derive(Default)]
pub(super) struct Generics<'a> {
    declared: Vec<Generic<'a>>,
    sorts: HashMap<(usize, Vec<SortId>), SortId>,
    made_of: HashMap<SortId, (usize, Vec<SortId>)>,
    /// Sorts whose constructors are still to be made, while those of another one are.
    waiting: Vec<SortId>,
    is_open: bool,
    spelling: Spelling,
}

/// How a text writes what has a name of its own among the terms, because the text has no name for it: by symbol.
#[derive(Clone, Default, Debug)]
pub struct Spelling {
    symbols: HashMap<String, String>,
    testers: HashMap<String, String>,
    open: Vec<OpenSort>,
}

/// A sort that a text leaves open (`declare-sort`), and the datatype that stands for it: an element for each integer.
#[derive(Clone, Debug)]
pub struct OpenSort {
    /// The sort of the datatype.
    pub sort: SortId,
    /// Its name, its constructor and the constructor's field, as symbols.
    symbols: [String; 3],
}

impl OpenSort {
    /// The declaration of the datatype.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// let source = "(set-logic HORN) (declare-sort U 0) (declare-fun p (U) Bool) (check-sat)";
    /// let clauses = clausal::horn::read_clauses(source).product.expect("a well-formed text");
    /// let declaration = clauses.spelling.open_sorts()[0].declaration();
    /// assert_eq!(declaration, "(declare-datatypes ((U 0)) (((U!element (U!number Int)))))");
    /// ```
    pub fn declaration(&self) -> String {
        let [name, element, number] = &self.symbols;
        format!("(declare-datatypes (({name} 0)) ((({element} ({number} Int)))))")
    }

    /// The declaration of a constant that is some element of the sort.
    pub fn constant(&self) -> String {
        let [name, element, _] = &self.symbols;
        format!("(declare-const {element} {name})")
    }

    /// Text in which this constant is in the place of the element for zero.
    pub fn with_constant(&self, text: &str) -> String {
        let element = &self.symbols[1];
        text.replace(&format!("({element} 0)"), element)
    }
}

impl Spelling {
    /// SMT-LIB text with the symbols of the terms replaced by what the text it answers has for them.
    pub fn spelled(&self, text: &str) -> String {
        let mut spelled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, from)) = rest.split_once('|') {
            let Some((name, after)) = from.split_once('|') else {
                break;
            };
            spelled.push_str(before);
            let own = match before.ends_with("(_ is ") {
                true => self.testers.get(name),
                false => self.symbols.get(name),
            };
            match own {
                Some(own) => spelled.push_str(own),
                None => spelled.push_str(&format!("|{name}|")),
            }
            rest = after;
        }
        spelled + rest
    }

    /// The sorts that the text leaves open (`declare-sort`).
    pub fn open_sorts(&self) -> &[OpenSort] {
        &self.open
    }
}

impl<'a> Reader<'a> {
    /// How the text writes what it has no name for.
    pub fn spelling(&self) -> Spelling {
        self.generics.spelling.clone()
    }

    /// Enters a declaration with parameters, whose constructors are known by their names from now on.
    pub fn declare_generic(
        &mut self,
        name: &'a str,
        parameters: &'a [Expression<'a>],
        constructors: &'a [Expression<'a>],
    ) -> Checked<()> {
        let index = self.generics.declared.len();
        for (position, constructor) in constructors.iter().enumerate() {
            let (symbol, fields) = self.constructor_parts(*constructor)?;
            self.declare(
                symbol,
                constructor.span,
                Global::Constructor(Constructed::Each(index, position)),
            )?;
            for (place, field) in fields.iter().enumerate() {
                let (symbol, _) = self.field_parts(*field)?;
                let selected = Selected::Each(index, position, place);
                self.declare(symbol, field.span, Global::Field(selected))?;
            }
        }
        self.generics.declared.push(Generic {
            name,
            parameters,
            constructors,
        });
        self.sorts.insert(name, SortDefinition::Generic(index));
        Ok(())
    }

    /// `(declare-sort U 0)`: a sort that the text leaves open, of which nothing is known but that terms are equal or not. It has
    /// as many elements as there are integers.
    pub fn declare_sort(&mut self, name: &'a str, span: Span) -> Checked<()> {
        self.check_sort_name(name, span)?;
        let sort = self.program.terms.declare_datatypes(&[name])[0];
        let [element, number] = ["element", "number"].map(|part| self.unused(format!("{name}!{part}")));
        let fields = [(number.as_str(), SortId::INT)];
        self.program.terms.add_constructor(sort, &element, &fields);
        let symbols = [name, &element, &number].map(write_symbol);
        self.generics.spelling.open.push(OpenSort { sort, symbols });
        self.sorts.insert(name, SortDefinition::Fixed(sort));
        Ok(())
    }

    /// A name that does not occur in the text.
    fn unused(&self, mut name: String) -> String {
        while self.mentions(&name) {
            name.push('_');
        }
        name
    }

    /// The sort that is made of a declaration for these parameters.
    pub fn instance(&mut self, index: usize, arguments: Vec<SortId>, span: Span) -> Checked<SortId> {
        let key = (index, arguments);
        if let Some(known) = self.generics.sorts.get(&key) {
            return Ok(*known);
        }
        let generic = self.generics.declared[index];
        let arguments: Vec<String> = key.1.iter().map(|sort| self.program.terms.smtlib_sort(*sort)).collect();
        let suffix = suffix(&arguments);
        let name = format!("{}{suffix}", generic.name);
        self.charge(name.len(), span)?;
        if name.len() > LONGEST_NAME || self.program.terms.datatypes().len() >= super::datatypes::MOST_DATATYPES {
            let label = format!("of `{}`, and of larger ones for its parameters", generic.name);
            return Err(self.problems.unsupported(span, "too many sorts", label));
        }
        let (name, terms) = match arguments.is_empty() {
            true => (name, &mut self.program.terms),
            false => (self.unused(name), &mut self.program.terms),
        };
        // What is first spoken of inside of a declaration may hold what is declared.
        let sort = match self.generics.is_open {
            true => terms.declare_datatype_with_last(&name),
            false => terms.declare_datatypes(&[&name])[0],
        };
        if !arguments.is_empty() {
            let written = format!("({} {})", write_symbol(generic.name), arguments.join(" "));
            let written = self.generics.spelling.spelled(&written);
            self.generics.spelling.symbols.insert(name, written);
        }
        self.generics.made_of.insert(sort, key.clone());
        self.generics.sorts.insert(key, sort);
        self.generics.waiting.push(sort);
        if !self.generics.is_open {
            let group = self.with_instances(Vec::new(), |_, _| Ok(()))?;
            self.check_group(&group, span)?;
        }
        Ok(sort)
    }

    /// Does something with sorts that are being declared, such that what it makes of declarations with parameters is declared together
    /// with them, and says which sorts these are in the end.
    pub fn with_instances(
        &mut self,
        mut sorts: Vec<SortId>,
        define: impl FnOnce(&mut Reader<'a>, &[SortId]) -> Checked<()>,
    ) -> Checked<Vec<SortId>> {
        self.generics.is_open = true;
        let defined = define(self, &sorts);
        let filled = defined.and_then(|()| self.fill());
        self.generics.is_open = false;
        sorts.extend(filled?);
        Ok(sorts)
    }

    /// Makes the constructors of all sorts that wait for theirs, and says which these are.
    fn fill(&mut self) -> Checked<Vec<SortId>> {
        let mut filled = Vec::new();
        while let Some(sort) = self.generics.waiting.pop() {
            filled.push(sort);
            let Some((index, arguments)) = self.generics.made_of.get(&sort).cloned() else {
                continue;
            };
            let generic = self.generics.declared[index];
            let names = generic.parameters.iter().filter_map(|parameter| parameter.symbol());
            let bound: HashMap<&str, SortId> = names.zip(arguments.iter().copied()).collect();
            let texts: Vec<String> = arguments
                .iter()
                .map(|sort| self.program.terms.smtlib_sort(*sort))
                .collect();
            let suffix = suffix(&texts);
            let written = self.generics.spelling.spelled(&self.program.terms.smtlib_sort(sort));
            for constructor in generic.constructors {
                let (name, fields) = self.constructor_parts(*constructor)?;
                let mut read: Vec<(String, SortId)> = Vec::with_capacity(fields.len());
                for field in fields {
                    let (field_name, expression) = self.field_parts(*field)?;
                    let field_sort = self.sort_within(expression, &bound, 0)?;
                    let own = match arguments.is_empty() {
                        true => field_name.to_string(),
                        false => {
                            let own = self.unused(format!("{field_name}{suffix}"));
                            let spelling = &mut self.generics.spelling;
                            spelling.symbols.insert(own.clone(), write_symbol(field_name));
                            own
                        }
                    };
                    read.push((own, field_sort));
                }
                let own = match arguments.is_empty() {
                    true => name.to_string(),
                    false => {
                        let own = self.unused(format!("{name}{suffix}"));
                        let spelling = &mut self.generics.spelling;
                        spelling
                            .symbols
                            .insert(own.clone(), format!("(as {} {written})", write_symbol(name)));
                        spelling.testers.insert(own.clone(), write_symbol(name));
                        own
                    }
                };
                let fields: Vec<(&str, SortId)> = read.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
                self.program.terms.add_constructor(sort, &own, &fields);
            }
        }
        Ok(filled)
    }

    /// The constructor that a name stands for in a sort; `None` if the sort has no such constructor.
    pub fn constructor_of(&self, constructed: Constructed, sort: SortId) -> Option<ConstructorId> {
        let terms = &self.program.terms;
        match constructed {
            Constructed::One(constructor) => (terms.constructed_sort(constructor) == sort).then_some(constructor),
            Constructed::Each(index, position) => {
                let (own, _) = self.generics.made_of.get(&sort)?;
                let constructors = &terms.datatype(sort)?.constructors;
                constructors.get(position).copied().filter(|_| *own == index)
            }
        }
    }

    /// The constructor that an expression names, if it is one.
    pub fn constructor_in(&self, expression: Expression<'a>) -> Option<Constructed> {
        self.constructor_named(expression.symbol()?)
    }

    /// The constructor `(as name sort)`.
    pub fn constructor_as(&mut self, name: Expression<'a>, sort: Expression<'a>) -> Checked<Constructed> {
        let place = sort.span;
        let sort = self.sort(sort)?;
        let constructor = self
            .constructor_in(name)
            .and_then(|named| self.constructor_of(named, sort));
        match constructor {
            Some(constructor) => Ok(Constructed::One(constructor)),
            None => {
                let message = format!("not a constructor of this sort: `{}`", self.written(name));
                Err(self.problems.error(place, message, "the sort"))
            }
        }
    }

    /// The field that a name stands for in a sort; `None` if the sort has no such field.
    pub fn field_in(&self, selected: Selected, sort: SortId) -> Option<FieldId> {
        let terms = &self.program.terms;
        match selected {
            Selected::One(field) => Some(field),
            Selected::Each(index, position, place) => {
                let constructor = self.constructor_of(Constructed::Each(index, position), sort)?;
                terms.constructor(constructor).fields.get(place).copied()
            }
        }
    }

    /// The constructor that is applied to these arguments.
    pub fn constructor_for(
        &mut self,
        constructed: Constructed,
        arguments: &[Located],
        span: Span,
    ) -> Checked<ConstructorId> {
        let (index, position) = match constructed {
            Constructed::One(constructor) => return Ok(constructor),
            Constructed::Each(index, position) => (index, position),
        };
        let generic = self.generics.declared[index];
        let (name, fields) = self.constructor_parts(generic.constructors[position])?;
        let names: Vec<&str> = generic
            .parameters
            .iter()
            .filter_map(|parameter| parameter.symbol())
            .collect();
        let mut bound: HashMap<&str, SortId> = HashMap::new();
        for (field, (value, _)) in fields.iter().zip(arguments) {
            let (_, expression) = self.field_parts(*field)?;
            self.bind(&names, expression, self.sort_of(*value), &mut bound);
        }
        let sorts: Option<Vec<SortId>> = names.iter().map(|name| bound.get(name).copied()).collect();
        let Some(sorts) = sorts else {
            let message = format!("`{name}` of which sort?");
            let error = Diagnostic::error(span.range(), message, "does not follow from what it is applied to");
            let help = format!("write `(as {name} ({} …))`", generic.name);
            return Err(self.problems.report(error.help(help)));
        };
        let sort = self.instance(index, sorts, span)?;
        self.constructor_of(constructed, sort).ok_or(Reported)
    }

    /// Binds parameters so that a sort expression stands for the sort. An integer may stand where a real is wanted.
    fn bind(&self, names: &[&'a str], expression: Expression<'a>, sort: SortId, bound: &mut HashMap<&'a str, SortId>) {
        let mut stack = vec![(expression, sort)];
        while let Some((expression, sort)) = stack.pop() {
            if let Kind::Symbol(name) = expression.kind {
                let known = names.contains(&name).then(|| *bound.entry(name).or_insert(sort));
                if known == Some(SortId::INT) {
                    bound.insert(name, sort);
                }
                continue;
            }
            let Some((name, inside)) = expression.application() else {
                continue;
            };
            let sorts = match (
                self.program.terms.sort_of_id(sort),
                self.sorts.get(name),
                self.generics.made_of.get(&sort),
            ) {
                (Sort::Array(index, element), ..) if name == "Array" => vec![index, element],
                (_, Some(SortDefinition::Generic(index)), Some((own, arguments))) if own == index => arguments.clone(),
                _ => Vec::new(),
            };
            stack.extend(inside.iter().copied().zip(sorts).rev());
        }
    }

    /// How many parameters a declaration has.
    pub fn parameter_count(&self, index: usize) -> usize {
        self.generics
            .declared
            .get(index)
            .map_or(0, |generic| generic.parameters.len())
    }
}

/// What tells the names of a sort and its constructors from those of others that are made of the same declaration.
fn suffix(arguments: &[String]) -> String {
    match arguments.is_empty() {
        true => String::new(),
        false => format!("({})", arguments.join(", ").replace('|', "")),
    }
}

#[cfg(test)]
mod tests {
    use crate::horn::read_clauses;

    #[test]
    fn sorts_made_of_one_declaration_differ_and_are_spelled_as_in_the_text() {
        let source = "(set-logic HORN)
            (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
            (declare-fun p ((List Int) (List (List Int))) Bool)
            (assert (p (as nil (List Int)) (cons (as nil (List Int)) (as nil (List (List Int))))))";
        let clauses = read_clauses(source).product.expect("a well-formed text");
        let names: Vec<&str> = clauses.program.terms.datatypes().iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["List(Int)", "List(List(Int))"]);
        let spelled = clauses
            .spelling
            .spelled("(p |nil(Int)| ((_ is |cons(List(Int))|) x) |other| (|head(Int)| y))");
        assert_eq!(spelled, "(p (as nil (List Int)) ((_ is cons) x) |other| (head y))");
    }

    #[test]
    fn what_is_made_inside_of_a_declaration_is_declared_with_it() {
        let source = "(set-logic HORN)
            (declare-datatypes ((Pair 1)) ((par (T) ((pair (first T) (second T))))))
            (declare-datatypes ((Tree 0)) (((leaf) (node (both (Pair Tree)) (key (Pair Int))))))
            (declare-fun p (Tree) Bool)
            (assert (p leaf))";
        let clauses = read_clauses(source).product.expect("a well-formed text");
        let terms = &clauses.program.terms;
        let groups: Vec<u32> = terms.datatypes().iter().map(|one| one.group).collect();
        assert_eq!(groups, [0, 0, 0]);
        let printed = crate::horn::print(&clauses.program);
        assert!(crate::horn::read(&printed).product.is_some(), "{printed}");
    }
}
