//! Names for the linker: what `alias` and `asm` call something, what is weak, and what runs before the program's entry
//! and at its end.

use super::Semantics;
use super::attributes::{AttributeMeaning, literal, meaning, text};
use super::never_null::NeverNull;
use super::scopes::Entity;
use crate::program::FunctionId;
use crate::syntax::{
    Attribute, Declaration, Declarator, Derivation, Item, Span, Specifiers, Storage, TranslationUnit, TypeSpecifier,
};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;

/// What a file says about its names to the linker.
#[derive(Default)]
pub(super) struct Symbols<'a> {
    /// The symbol of a name that has another one than itself.
    symbols: HashMap<&'a str, String>,
    /// The names that are other ones for something that the file defines: for what, and where that is said.
    pub(super) others: HashMap<&'a str, (&'a str, Span)>,
    /// The functions that run before the entry, in their order.
    pub(super) constructors: Vec<&'a str>,
    /// The functions that run when the program ends, in their order.
    pub(super) destructors: Vec<&'a str>,
    /// Where it is open when one of them runs.
    pub(super) unclear_turns: Vec<Span>,
    /// The functions with a body that other files can name.
    pub(super) external_functions: Vec<&'a str>,
    /// Names that another file may define, or nobody.
    pub(super) weak: HashSet<&'a str>,
    /// Names that this file defines as long as no other one does, and where that is said.
    pub(super) replaceable: Vec<(&'a str, Span)>,
    /// The functions that are declared not to come back from a call.
    pub(super) never_return: HashSet<&'a str>,
    /// What functions are declared to be handed, or to return, that is never null.
    pub(super) never_null: HashMap<&'a str, NeverNull>,
}

/// When something runs that runs by itself.
struct Turn {
    /// Smaller ones come first.
    priority: BigInt,
    /// Where another declaration gives another one: what becomes of it is the compiler's affair.
    unclear: Option<Span>,
}

/// The priority of what has none. It is the largest that there is.
const WITHOUT_PRIORITY: u32 = 65535;

/// What has been seen of the declarations.
#[derive(Default)]
struct Seen<'a> {
    /// What `alias` and `asm` say, in order.
    claims: Vec<(&'a str, String, Span, bool)>,
    /// What the file defines, in order.
    defined: Vec<&'a str>,
    /// What it declares, defined or not.
    declared: Vec<&'a str>,
    /// The variables among them.
    variables: Vec<&'a str>,
    /// The functions with a body that are not `static`.
    external_functions: Vec<&'a str>,
    constructors: HashMap<&'a str, Turn>,
    destructors: HashMap<&'a str, Turn>,
    weak: Vec<(&'a str, Span)>,
    never_return: HashSet<&'a str>,
    /// Types of functions that say so.
    types_that_never_return: HashSet<&'a str>,
    never_null: HashMap<&'a str, NeverNull>,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(unit: &TranslationUnit<'a>) -> Symbols<'a> {
        let mut seen = Seen::default();
        for item in &unit.items {
            match item {
                Item::Function(definition) => {
                    if let Some(name) = definition.declarator.name {
                        let attributes = definition.specifiers.attributes.iter();
                        let all = attributes.chain(definition.declarator.attributes);
                        seen.attributes(name.text, all);
                        seen.defined.push(name.text);
                        if definition.specifiers.storage != Some(Storage::Static) {
                            seen.external_functions.push(name.text);
                        }
                    }
                }
                Item::Declaration(declaration) => seen.declaration(declaration),
                Item::Assembly(..) | Item::Statement(_) => {}
            }
        }
        seen.resolved()
    }

    /// The name by which the linker knows a function.
    pub(super) fn symbol<'n>(&'n self, name: &'n str) -> &'n str {
        self.symbols.get(name).map_or(name, String::as_str)
    }
}

impl<'a> Seen<'a> {
    fn declaration(&mut self, declaration: &Declaration<'a>) {
        let specifiers = &declaration.specifiers;
        for declared in declaration.declarators {
            let Some(name) = declared.declarator.name else { continue };
            let mut all = specifiers.attributes.iter().chain(declared.declarator.attributes);
            if specifiers.storage == Some(Storage::Typedef) {
                if all.any(|attribute| meaning(attribute) == Some(AttributeMeaning::NeverReturns)) {
                    self.types_that_never_return.insert(name.text);
                }
                continue;
            }
            if let Some(TypeSpecifier::Named(kind)) = specifiers.kind
                && self.types_that_never_return.contains(kind.text)
                && declared.declarator.derivations.is_empty()
            {
                self.never_return.insert(name.text);
            }
            let is_alias = all.clone().any(|attribute| attribute.is("alias"));
            self.attributes(name.text, all);
            self.declared.push(name.text);
            let is_function = matches!(declared.declarator.derivations.first(), Some(Derivation::Function(_)));
            let is_elsewhere = specifiers.storage == Some(Storage::Extern) && declared.initializer.is_none();
            if !is_function {
                self.variables.push(name.text);
            }
            if !is_function && !is_elsewhere && !is_alias {
                self.defined.push(name.text);
            }
        }
    }

    fn attributes<'t>(&mut self, name: &'a str, attributes: impl Iterator<Item = &'t Attribute<'a>>)
    where
        'a: 't,
    {
        for attribute in attributes {
            match meaning(attribute) {
                Some(AttributeMeaning::OtherName) => {
                    let is_alias = attribute.is("alias");
                    let symbol = text(attribute).unwrap_or_default();
                    self.claims.push((name, symbol, attribute.span, is_alias));
                }
                Some(AttributeMeaning::Constructor) => {
                    let is_first = self.is_first(name);
                    runs(&mut self.constructors, name, attribute, is_first);
                }
                Some(AttributeMeaning::Destructor) => {
                    let is_first = self.is_first(name);
                    runs(&mut self.destructors, name, attribute, is_first);
                }
                Some(AttributeMeaning::Weak) => self.weak.push((name, attribute.span)),
                Some(AttributeMeaning::NeverReturns) => drop(self.never_return.insert(name)),
                Some(AttributeMeaning::NeverNull) => self.never_null.entry(name).or_default().note(attribute),
                Some(
                    AttributeMeaning::Nothing
                    | AttributeMeaning::Layout
                    | AttributeMeaning::Cleanup
                    | AttributeMeaning::Refused,
                )
                | None => {}
            }
        }
    }

    /// Whether nothing was said of the name before.
    fn is_first(&self, name: &str) -> bool {
        !self.declared.contains(&name) && !self.defined.contains(&name)
    }

    fn resolved(self) -> Symbols<'a> {
        let mut symbols: HashMap<&'a str, String> = HashMap::new();
        for (name, symbol, _, is_alias) in &self.claims {
            if !is_alias && symbol != name {
                symbols.insert(name, symbol.clone());
            }
        }
        let symbol_of = |name: &'a str| symbols.get(name).map_or(name, String::as_str);
        let definer = |symbol: &str| self.defined.iter().copied().find(|name| symbol_of(name) == symbol);
        let mut others = HashMap::new();
        for (name, symbol, span, is_alias) in &self.claims {
            let of = definer(symbol).filter(|of| of != name);
            match of {
                Some(of) if *is_alias || !self.defined.contains(name) => {
                    others.insert(*name, (of, *span));
                }
                // The definition behind an alias must be in the file.
                None if *is_alias => {
                    others.insert(*name, ("", *span));
                }
                _ => {}
            }
        }
        // A definition under another symbol is what others mean by that name.
        for (name, symbol, span, is_alias) in &self.claims {
            let is_definition = !is_alias && self.defined.contains(name);
            let other = self.declared.iter().copied().find(|other| *other == symbol.as_str());
            if let Some(other) = other.filter(|other| is_definition && !self.defined.contains(other)) {
                others.entry(other).or_insert((*name, *span));
            }
        }
        // Variables that no name defines here, but several name.
        let others_of = |symbol: &str| self.variables.iter().copied().find(|name| symbol_of(name) == symbol);
        for (name, symbol, span, is_alias) in &self.claims {
            if !is_alias
                && definer(symbol).is_none()
                && self.variables.contains(name)
                && let Some(first) = others_of(symbol).filter(|first| first != name)
            {
                others.entry(*name).or_insert((first, *span));
            }
        }
        let constructors = in_turn(&self.defined, &self.constructors);
        // They undo what constructors have done, the last one first.
        let mut destructors = in_turn(&self.defined, &self.destructors);
        destructors.reverse();
        let unclear_turns = [(&constructors, &self.constructors), (&destructors, &self.destructors)];
        let unclear_turns = unclear_turns.into_iter().filter(|(order, _)| order.len() > 1);
        let unclear_turns = unclear_turns.flat_map(|(_, turns)| turns.values().filter_map(|turn| turn.unclear));
        let mut unclear_turns: Vec<Span> = unclear_turns.collect();
        unclear_turns.sort_by_key(|span| span.start);
        let defined: HashSet<&str> = self.defined.iter().copied().collect();
        let is_here = |(name, _): &(&'a str, Span)| defined.contains(name) || others.contains_key(name);
        let (replaceable, missing): (Vec<_>, Vec<_>) = self.weak.into_iter().partition(is_here);
        Symbols {
            weak: missing.into_iter().map(|(name, _)| name).collect(),
            replaceable,
            constructors,
            destructors,
            unclear_turns,
            external_functions: self.external_functions,
            never_return: self.never_return,
            never_null: self.never_null,
            symbols,
            others,
        }
    }
}

/// Notes that a function runs by itself.
fn runs<'a>(turns: &mut HashMap<&'a str, Turn>, name: &'a str, attribute: &Attribute<'_>, is_first: bool) {
    let said = match attribute.arguments {
        [argument] => literal(argument),
        _ => None,
    };
    let is_open = said.is_none() && !attribute.arguments.is_empty();
    // What is said later than in the first declaration may not count.
    let is_late = said.is_some() && !is_first;
    let turn = turns.entry(name).or_insert_with(|| Turn {
        priority: said.clone().unwrap_or_else(|| BigInt::from(WITHOUT_PRIORITY)),
        unclear: (is_open || is_late).then_some(attribute.span),
    });
    if said.is_some_and(|said| said != turn.priority) || is_open {
        turn.unclear = Some(attribute.span);
    }
}

/// The functions of a file that run by themselves, in their order: by priority, then as they are defined.
fn in_turn<'a>(defined: &[&'a str], turns: &HashMap<&'a str, Turn>) -> Vec<&'a str> {
    let mut order: Vec<(&BigInt, &'a str)> = Vec::new();
    for name in defined {
        if let Some(turn) = turns.get(name) {
            order.push((&turn.priority, *name));
        }
    }
    order.sort_by_key(|(priority, _)| *priority);
    order.into_iter().map(|(_, name)| name).collect()
}

impl<'a> Semantics<'a, '_> {
    /// Refuses other names where they are not looked for: inside functions, where `asm` also names registers.
    pub(super) fn check_no_other_name(&mut self, specifiers: &Specifiers<'a>, declarator: &Declarator<'a>) {
        for attribute in specifiers.attributes.iter().chain(declarator.attributes) {
            let message = match meaning(attribute) {
                Some(AttributeMeaning::OtherName | AttributeMeaning::Weak) => {
                    "a name for the linker or of a register cannot be translated here"
                }
                Some(AttributeMeaning::Constructor | AttributeMeaning::Destructor) => {
                    "what runs before or after the program cannot be declared here"
                }
                _ => continue,
            };
            self.refuse(attribute.span, message, "inside a function", None);
        }
    }

    /// Refuses functions that run by themselves where it is open when.
    pub(super) fn refuse_unclear_turns(&mut self) {
        for span in std::mem::take(&mut self.symbols.unclear_turns) {
            let message = "the place of a function among those that run by themselves";
            let help = "say its priority as a number, in the first declaration of the function".to_string();
            self.refuse(span, message, "compilers may differ", Some(help));
        }
    }

    /// What a declaration of a function inside another one says of it.
    pub(super) fn note_said_in_block(
        &mut self,
        name: &'a str,
        specifiers: &Specifiers<'a>,
        declarator: &Declarator<'a>,
    ) {
        for attribute in specifiers.attributes.iter().chain(declarator.attributes) {
            match meaning(attribute) {
                Some(AttributeMeaning::NeverReturns) => drop(self.symbols.never_return.insert(name)),
                Some(AttributeMeaning::NeverNull) => self.symbols.never_null.entry(name).or_default().note(attribute),
                _ => {}
            }
        }
    }

    /// The function that a function is another name for: they have one address.
    pub(super) fn behind_other_name(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        let (of, _) = *self.symbols.others.get(name)?;
        match self.scopes.find_outermost(of).map(|found| &found.what) {
            Some(Entity::Function(function)) => Some(*function),
            None if !of.is_empty() => Some(self.implicit_function(of, span)),
            _ => None,
        }
    }

    /// A use of something that the file does not define: weak, so that nobody knows whether it is there, or the linker's name
    /// for an end of a section.
    pub(super) fn note_weak_use(&mut self, name: &str, span: Span) {
        let is_made_by_linker = name.starts_with("__start_") || name.starts_with("__stop_");
        if self.symbols.weak.contains(name) || is_made_by_linker {
            let what = match is_made_by_linker {
                true => format!("`{name}`, which the linker defines"),
                false => format!("`{name}`, which is weak and has no definition here"),
            };
            self.emit_anything(what, span);
        }
    }

    /// Refuses a variable that is another name for one that the file has too.
    pub(super) fn check_other_names(&mut self, name: &'a str, is_function: bool) {
        let Some((of, span)) = self.symbols.others.get(name).copied() else {
            return;
        };
        if (of.is_empty() || !is_function) && self.warned.insert(format!("alias {}", span.start)) {
            let (message, help) = match of {
                "" => (
                    format!("`{name}` is another name for something that the file does not define"),
                    None,
                ),
                _ => (
                    format!("`{name}` is another name for `{of}`, which cannot be translated"),
                    Some(format!("write `{of}` in its place")),
                ),
            };
            self.refuse(span, message, "said here", help);
        }
    }
}
