//! Attributes: which say nothing about values, which are translated, and which have to be refused. One that no compiler knows
//! is ignored with a warning, as compilers have it; what some compiler knows has to be in the table.

use super::Semantics;
use crate::compiler_flags::{is_plain_target, only_optimizes};
use crate::integer_literals::integer_literal;
use crate::syntax::{Attribute, AttributeArgument, ExpressionKind};
use crate::types::DataModel;
use num_bigint::BigInt;

/// What an attribute is to the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttributeMeaning {
    /// It says nothing about values: advice, warnings, where something lies, how it is called.
    Nothing,
    /// It is about the layout of types and objects, which asks for it itself.
    Layout,
    /// The function runs before the program's entry.
    Constructor,
    /// The function runs when the program ends.
    Destructor,
    /// The name is another one for something else: `alias`, `asm`.
    OtherName,
    /// Another file may define it, or nobody.
    Weak,
    /// The function does not come back from a call.
    NeverReturns,
    /// Something is called when the variable's scope is left.
    Cleanup,
    /// The function's arguments, or its result, are no null pointers.
    NeverNull,
    /// It changes what the program does, in a way that cannot be translated.
    Refused,
}

/// All attributes that are known, by their names without underscores.
pub(super) const ATTRIBUTES: &[(&str, AttributeMeaning)] = &[
    ("constructor", AttributeMeaning::Constructor),
    ("destructor", AttributeMeaning::Destructor),
    ("alias", AttributeMeaning::OtherName),
    ("asm", AttributeMeaning::OtherName),
    ("weak", AttributeMeaning::Weak),
    ("weak_import", AttributeMeaning::Weak),
    ("aligned", AttributeMeaning::Layout),
    ("align", AttributeMeaning::Layout),
    ("_Alignas", AttributeMeaning::Layout),
    ("_Atomic", AttributeMeaning::Layout),
    ("packed", AttributeMeaning::Layout),
    ("mode", AttributeMeaning::Layout),
    ("vector_size", AttributeMeaning::Layout),
    ("gcc_struct", AttributeMeaning::Layout),
    ("transparent_union", AttributeMeaning::Layout),
    ("cleanup", AttributeMeaning::Cleanup),
    ("ifunc", AttributeMeaning::Refused),
    ("weakref", AttributeMeaning::Refused),
    ("naked", AttributeMeaning::Refused),
    ("ms_struct", AttributeMeaning::Refused),
    ("scalar_storage_order", AttributeMeaning::Refused),
    ("address_space", AttributeMeaning::Refused),
    ("assume", AttributeMeaning::Refused),
    ("blocks", AttributeMeaning::Refused),
    ("copy", AttributeMeaning::Refused),
    ("enable_if", AttributeMeaning::Refused),
    ("ext_vector_type", AttributeMeaning::Refused),
    ("hardbool", AttributeMeaning::Refused),
    ("interrupt", AttributeMeaning::Refused),
    ("loader_uninitialized", AttributeMeaning::Refused),
    ("matrix_type", AttributeMeaning::Refused),
    ("neon_polyvector_type", AttributeMeaning::Refused),
    ("neon_vector_type", AttributeMeaning::Refused),
    ("noinit", AttributeMeaning::Refused),
    ("overloadable", AttributeMeaning::Refused),
    ("pass_dynamic_object_size", AttributeMeaning::Refused),
    ("pass_object_size", AttributeMeaning::Refused),
    ("persistent", AttributeMeaning::Refused),
    ("property", AttributeMeaning::Refused),
    ("signed_bool_precision", AttributeMeaning::Refused),
    ("symver", AttributeMeaning::Refused),
    ("target_version", AttributeMeaning::Refused),
    ("transaction_callable", AttributeMeaning::Refused),
    ("transaction_may_cancel_outer", AttributeMeaning::Refused),
    ("transaction_pure", AttributeMeaning::Refused),
    ("transaction_safe", AttributeMeaning::Refused),
    ("transaction_unsafe", AttributeMeaning::Refused),
    ("access", AttributeMeaning::Nothing),
    ("alloc_align", AttributeMeaning::Nothing),
    ("alloc_size", AttributeMeaning::Nothing),
    ("allocate", AttributeMeaning::Nothing),
    ("annotate", AttributeMeaning::Nothing),
    ("always_inline", AttributeMeaning::Nothing),
    ("artificial", AttributeMeaning::Nothing),
    ("assume_aligned", AttributeMeaning::Nothing),
    ("availability", AttributeMeaning::Nothing),
    ("cdecl", AttributeMeaning::Nothing),
    ("cold", AttributeMeaning::Nothing),
    ("common", AttributeMeaning::Nothing),
    ("const", AttributeMeaning::Nothing),
    ("counted_by", AttributeMeaning::Nothing),
    ("deprecated", AttributeMeaning::Nothing),
    ("designated_init", AttributeMeaning::Nothing),
    ("dllexport", AttributeMeaning::Nothing),
    ("dllimport", AttributeMeaning::Nothing),
    ("enum_extensibility", AttributeMeaning::Nothing),
    ("error", AttributeMeaning::Nothing),
    ("externally_visible", AttributeMeaning::Nothing),
    ("fallthrough", AttributeMeaning::Nothing),
    ("fastcall", AttributeMeaning::Nothing),
    ("fd_arg", AttributeMeaning::Nothing),
    ("fd_arg_read", AttributeMeaning::Nothing),
    ("fd_arg_write", AttributeMeaning::Nothing),
    ("flag_enum", AttributeMeaning::Nothing),
    ("flatten", AttributeMeaning::Nothing),
    ("format", AttributeMeaning::Nothing),
    ("format_arg", AttributeMeaning::Nothing),
    ("gnu_inline", AttributeMeaning::Nothing),
    ("hot", AttributeMeaning::Nothing),
    ("leaf", AttributeMeaning::Nothing),
    ("malloc", AttributeMeaning::Nothing),
    ("maybe_unused", AttributeMeaning::Nothing),
    ("may_alias", AttributeMeaning::Nothing),
    ("minsize", AttributeMeaning::Nothing),
    ("model", AttributeMeaning::Nothing),
    ("ms_abi", AttributeMeaning::Nothing),
    ("no_icf", AttributeMeaning::Nothing),
    ("no_instrument_function", AttributeMeaning::Nothing),
    ("no_profile_instrument_function", AttributeMeaning::Nothing),
    ("no_reorder", AttributeMeaning::Nothing),
    ("no_sanitize", AttributeMeaning::Nothing),
    ("no_sanitize_address", AttributeMeaning::Nothing),
    ("no_sanitize_coverage", AttributeMeaning::Nothing),
    ("no_sanitize_memory", AttributeMeaning::Nothing),
    ("no_sanitize_thread", AttributeMeaning::Nothing),
    ("no_sanitize_undefined", AttributeMeaning::Nothing),
    ("no_split_stack", AttributeMeaning::Nothing),
    ("no_stack_limit", AttributeMeaning::Nothing),
    ("no_stack_protector", AttributeMeaning::Nothing),
    ("noalias", AttributeMeaning::Nothing),
    ("noclone", AttributeMeaning::Nothing),
    ("nocommon", AttributeMeaning::Nothing),
    ("nodebug", AttributeMeaning::Nothing),
    ("noinline", AttributeMeaning::Nothing),
    ("noipa", AttributeMeaning::Nothing),
    ("nonnull", AttributeMeaning::NeverNull),
    ("nonstring", AttributeMeaning::Nothing),
    ("noplt", AttributeMeaning::Nothing),
    ("noreturn", AttributeMeaning::NeverReturns),
    ("_Noreturn", AttributeMeaning::NeverReturns),
    ("nothrow", AttributeMeaning::Nothing),
    ("null_terminated_string_arg", AttributeMeaning::Nothing),
    ("optimize", AttributeMeaning::Nothing),
    ("optnone", AttributeMeaning::Nothing),
    ("patchable_function_entry", AttributeMeaning::Nothing),
    ("pure", AttributeMeaning::Nothing),
    ("regparm", AttributeMeaning::Nothing),
    ("restrict", AttributeMeaning::Nothing),
    ("retain", AttributeMeaning::Nothing),
    ("returns_nonnull", AttributeMeaning::NeverNull),
    ("returns_twice", AttributeMeaning::Nothing),
    ("section", AttributeMeaning::Nothing),
    ("selectany", AttributeMeaning::Nothing),
    ("sentinel", AttributeMeaning::Nothing),
    ("simd", AttributeMeaning::Nothing),
    ("stack_protect", AttributeMeaning::Nothing),
    ("stdcall", AttributeMeaning::Nothing),
    ("sysv_abi", AttributeMeaning::Nothing),
    ("tainted_args", AttributeMeaning::Nothing),
    ("target", AttributeMeaning::Nothing),
    ("target_clones", AttributeMeaning::Nothing),
    ("thiscall", AttributeMeaning::Nothing),
    ("thread", AttributeMeaning::Nothing),
    ("tls_model", AttributeMeaning::Nothing),
    ("unavailable", AttributeMeaning::Nothing),
    ("unused", AttributeMeaning::Nothing),
    ("used", AttributeMeaning::Nothing),
    ("vectorcall", AttributeMeaning::Nothing),
    ("visibility", AttributeMeaning::Nothing),
    ("warn_if_not_aligned", AttributeMeaning::Layout),
    ("warn_unused", AttributeMeaning::Nothing),
    ("warn_unused_result", AttributeMeaning::Nothing),
    ("warning", AttributeMeaning::Nothing),
    ("zero_call_used_regs", AttributeMeaning::Nothing),
    ("callee_pop_aggregate_return", AttributeMeaning::Nothing),
    ("cf_check", AttributeMeaning::Nothing),
    ("fentry_name", AttributeMeaning::Nothing),
    ("fentry_section", AttributeMeaning::Nothing),
    ("force_align_arg_pointer", AttributeMeaning::Nothing),
    ("function_return", AttributeMeaning::Nothing),
    ("indirect_branch", AttributeMeaning::Nothing),
    ("indirect_return", AttributeMeaning::Nothing),
    ("ms_hook_prologue", AttributeMeaning::Nothing),
    ("no_address_safety_analysis", AttributeMeaning::Nothing),
    ("no_caller_saved_registers", AttributeMeaning::Nothing),
    ("nocf_check", AttributeMeaning::Nothing),
    ("nodirect_extern_access", AttributeMeaning::Nothing),
    ("sseregparm", AttributeMeaning::Nothing),
    ("uninitialized", AttributeMeaning::Nothing),
];

/// What an attribute is to the translation; `None` for one that nobody here has heard of.
pub(super) fn meaning(attribute: &Attribute<'_>) -> Option<AttributeMeaning> {
    let is_for_machine = attribute.is("target") || attribute.is("target_clones");
    if attribute.is("optimize") && has_other_flags(attribute, only_optimizes)
        || is_for_machine && has_other_flags(attribute, is_plain_target)
        || attribute.is("section") && is_run(attribute)
    {
        return Some(AttributeMeaning::Refused);
    }
    // The order of bytes is that of all machines here anyway.
    if attribute.is("scalar_storage_order") && text(attribute).as_deref() == Some("little-endian") {
        return Some(AttributeMeaning::Nothing);
    }
    let name = attribute.plain_name();
    let found = ATTRIBUTES.iter().find(|entry| entry.0 == name);
    // A name given by `asm` is written without underscores or with those that the keyword allows.
    found
        .map(|entry| entry.1)
        .or_else(|| matches!(name, "__asm" | "_asm").then_some(AttributeMeaning::OtherName))
}

/// Whether what lies in the section is done when the program starts or ends.
fn is_run(attribute: &Attribute<'_>) -> bool {
    let begins = |name: &str| {
        let starts = [".init", ".fini", ".preinit", ".ctors", ".dtors"];
        starts.iter().any(|start| name.starts_with(start))
    };
    text(attribute).is_some_and(|name| begins(&name))
}

/// Whether flags for the compiler, in strings, are others than these.
fn has_other_flags(attribute: &Attribute<'_>, is_harmless: fn(&str) -> bool) -> bool {
    attribute.arguments.iter().any(|argument| match argument {
        AttributeArgument::Expression(expression) => match &expression.kind {
            ExpressionKind::Integer(_) => false,
            ExpressionKind::String { characters, .. } => {
                let text: String = characters.iter().filter_map(|c| char::from_u32(*c)).collect();
                !is_harmless(&text)
            }
            _ => true,
        },
        AttributeArgument::Type(_) | AttributeArgument::Other(_) => true,
    })
}

/// The text of the first argument, if it is a string.
pub(super) fn text(attribute: &Attribute<'_>) -> Option<String> {
    match attribute.arguments.first()? {
        AttributeArgument::Expression(expression) => match &expression.kind {
            ExpressionKind::String { characters, .. } => {
                Some(characters.iter().filter_map(|c| char::from_u32(*c)).collect())
            }
            _ => None,
        },
        AttributeArgument::Type(_) | AttributeArgument::Other(_) => None,
    }
}

/// The number that an argument is, if it is written as one.
pub(super) fn literal(argument: &AttributeArgument<'_>) -> Option<BigInt> {
    match argument {
        AttributeArgument::Expression(expression) => match expression.kind {
            // Of these numbers none is so large that its type matters.
            ExpressionKind::Integer(digits) => Some(integer_literal(digits, DataModel::default()).ok()?.0),
            _ => None,
        },
        AttributeArgument::Type(_) | AttributeArgument::Other(_) => None,
    }
}

impl<'a> Semantics<'a, '_> {
    /// Refuses attributes that change what a program does and are not translated.
    pub(super) fn check_attributes(&mut self, attributes: &[Attribute<'a>]) {
        for attribute in attributes {
            let name = attribute.name.text;
            // Of what annotations say to tools, this is about the program itself.
            if attribute.is("annotate") && annotation(attribute).is_some_and(|text| text == "__ESBMC_inf_size") {
                let message = "an array without end cannot be translated".to_string();
                self.attribute_error(attribute, message, "of any number of elements");
            }
            match meaning(attribute) {
                Some(
                    AttributeMeaning::Nothing
                    | AttributeMeaning::Layout
                    | AttributeMeaning::Constructor
                    | AttributeMeaning::Destructor
                    | AttributeMeaning::OtherName
                    | AttributeMeaning::Cleanup
                    | AttributeMeaning::NeverReturns
                    | AttributeMeaning::Weak,
                ) => {}
                Some(AttributeMeaning::NeverNull) => {
                    if attribute.arguments.iter().any(|argument| literal(argument).is_none()) {
                        let message = format!("the attribute `{name}` with calculated numbers cannot be translated");
                        self.attribute_error(attribute, message, "about which parameters it is");
                    }
                }
                Some(AttributeMeaning::Refused) => {
                    let message = format!("the attribute `{name}` cannot be translated");
                    self.attribute_error(attribute, message, "it changes what the program does");
                }
                None => {
                    let message = format!("the attribute `{name}` is not known");
                    self.warn_once(attribute.span, message, "it is ignored, as compilers have it");
                }
            }
        }
    }

    /// Each attribute is reported once, however often what it stands on is read.
    fn attribute_error(&mut self, attribute: &Attribute<'a>, message: String, label: &str) {
        if self.warned.insert(format!("attribute {}", attribute.span.start)) {
            self.refuse(attribute.span, message, label, None);
        }
    }
}

/// What an annotation says.
fn annotation(attribute: &Attribute<'_>) -> Option<String> {
    match attribute.arguments.first()? {
        AttributeArgument::Expression(expression) => match &expression.kind {
            ExpressionKind::String { characters, .. } => characters.iter().map(|code| char::from_u32(*code)).collect(),
            _ => None,
        },
        AttributeArgument::Type(_) | AttributeArgument::Other(_) => None,
    }
}
