//! Names for the linker: what `alias` and `asm` call something, what is weak, and what runs before the program's entry
//! and at its end.

use super::Semantics;
use super::attributes::{AttributeMeaning, meaning, text};
use super::scopes::Entity;
use crate::c::program::{Effect, FunctionId, InstructionKind};
use crate::c::syntax::{
    Attribute, AttributeArgument, Declaration, Declarator, Derivation, ExpressionKind, Item, Span, Specifiers, Storage,
    TranslationUnit,
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
    /// The functions with a body that other files can name.
    pub(super) external_functions: Vec<&'a str>,
    /// Names that another file may define, or nobody.
    pub(super) weak: HashSet<&'a str>,
    /// The functions that are declared not to come back from a call.
    pub(super) never_return: HashSet<&'a str>,
}

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
    constructors: Vec<(BigInt, &'a str)>,
    destructors: Vec<(BigInt, &'a str)>,
    weak: Vec<&'a str>,
    never_return: HashSet<&'a str>,
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
        if specifiers.storage == Some(Storage::Typedef) {
            return;
        }
        for declared in declaration.declarators {
            let Some(name) = declared.declarator.name else { continue };
            let all = specifiers.attributes.iter().chain(declared.declarator.attributes);
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
                    // Those without a priority come last.
                    let priority = priority(attribute).unwrap_or_else(|| BigInt::from(u32::MAX));
                    if !self.constructors.iter().any(|(_, other)| *other == name) {
                        self.constructors.push((priority, name));
                    }
                }
                Some(AttributeMeaning::Destructor) => {
                    let priority = priority(attribute).unwrap_or_else(|| BigInt::from(u32::MAX));
                    if !self.destructors.iter().any(|(_, other)| *other == name) {
                        self.destructors.push((priority, name));
                    }
                }
                Some(AttributeMeaning::Weak) => self.weak.push(name),
                Some(AttributeMeaning::NeverReturns) => drop(self.never_return.insert(name)),
                Some(AttributeMeaning::Nothing | AttributeMeaning::Layout | AttributeMeaning::Refused) | None => {}
            }
        }
    }

    fn resolved(mut self) -> Symbols<'a> {
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
        self.constructors.sort_by(|one, other| one.0.cmp(&other.0));
        // They undo what constructors have done, the last one first.
        self.destructors.sort_by(|one, other| one.0.cmp(&other.0));
        self.destructors.reverse();
        let defined: HashSet<&str> = self.defined.iter().copied().collect();
        Symbols {
            weak: self
                .weak
                .into_iter()
                .filter(|name| !defined.contains(name) && !others.contains_key(name))
                .collect(),
            constructors: self.constructors.into_iter().map(|(_, name)| name).collect(),
            destructors: self.destructors.into_iter().map(|(_, name)| name).collect(),
            external_functions: self.external_functions,
            never_return: self.never_return,
            symbols,
            others,
        }
    }
}

fn priority(attribute: &Attribute<'_>) -> Option<BigInt> {
    match attribute.arguments.first()? {
        AttributeArgument::Expression(expression) => match expression.kind {
            ExpressionKind::Integer(digits) => digits.parse().ok(),
            _ => None,
        },
        AttributeArgument::Type(_) | AttributeArgument::Other(_) => None,
    }
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
            let effect = Effect::Anything;
            self.emit(InstructionKind::Unsupported { what, effect }, span);
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
