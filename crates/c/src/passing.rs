//! Calls as the machine makes them: what arrives of arguments and results if a function is called as another type than its
//! own, or without a prototype.
//!
//! C leaves all of it undefined unless the types agree. Compilers hand arguments over all the same, as the System V ABI says:
//! integers and pointers in some registers, floating-point numbers in others, or all of them on the stack. So the lower half of
//! a `long` arrives as an `int`, whereas an `int` that is expected as a `long` has an upper half that nobody knows. What does
//! not arrive for sure is not translated.

use super::program::{Expression, ExpressionKind, Function, Numeric, Place, Program};
use super::types::{DataModel, IntegerType, Type, TypeId, Types};

/// What arrives of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// The value, converted to the type that it is expected as.
    Value,
    /// Its bits are the lower ones, the others may be any.
    LowerBits,
    /// Nobody knows.
    Unknown,
    /// There is none: whatever happens to lie where it would be.
    Missing,
}

/// What a call hands over.
#[derive(Debug)]
pub(super) struct Passing {
    /// What each parameter gets.
    pub(super) parameters: Vec<Arrival>,
    /// What the caller gets; [`Arrival::Missing`] if one of both knows of no result.
    pub(super) result: Arrival,
    /// Whether nothing but values that are handed over may be wrong.
    pub(super) is_bounded: bool,
    /// Why the behaviour is undefined, if it is: the end of "a call of `f` with …".
    pub(super) disagreement: Option<String>,
}

/// What a call hands over that calls the function as one of type `called`.
pub(super) fn passing(
    program: &Program,
    called: TypeId,
    callee: &Function,
    arguments: &[Expression<Place>],
) -> Passing {
    let types = &program.types;
    let unknown = Passing {
        parameters: vec![Arrival::Unknown; callee.parameters.len()],
        result: Arrival::Unknown,
        is_bounded: false,
        disagreement: Some("what is no function".to_string()),
    };
    let (
        Type::Function {
            result: wanted,
            parameters: said,
            open,
        },
        Type::Function {
            result,
            parameters: own,
            open: own_open,
        },
    ) = (types.get(called), types.get(callee.kind))
    else {
        return unknown;
    };
    let mut passing = Passing {
        parameters: Vec::with_capacity(callee.parameters.len()),
        result: result_arrival(types, *result, *wanted),
        is_bounded: true,
        disagreement: None,
    };
    let is_variadic = *own_open && !own.is_empty();
    let is_called_variadic = *open && !said.is_empty();
    let has_prototype = !*open || is_called_variadic;
    if is_variadic && !is_called_variadic {
        passing.disagree(|| "nothing said of its further arguments".to_string());
    } else if is_called_variadic && !is_variadic {
        passing.disagree(|| "further arguments of any type where it takes none".to_string());
    }
    let mut shifted = false;
    for (position, parameter) in callee.parameters.iter().enumerate() {
        let kind = program
            .variables
            .get(parameter.0 as usize)
            .map_or(Types::INT, |it| it.kind);
        let expected = own.get(position).copied();
        let Some(argument) = arguments.get(position) else {
            let arrival = if shifted { Arrival::Unknown } else { Arrival::Missing };
            passing.parameters.push(arrival);
            continue;
        };
        let expected_as = match expected {
            Some(expected) => types.get(expected),
            None => &promoted(types.get(kind)),
        };
        let given = types.get(argument.c_type);
        if !alike(given, expected_as) {
            passing.disagree(|| {
                let shown = types.display(argument.c_type);
                format!(
                    "argument {} of type {shown} for one of type {}",
                    position + 1,
                    types.display(expected.unwrap_or(kind))
                )
            });
        }
        let arrival = match arrival(types, given, is_zero(argument), expected_as) {
            _ if shifted => Arrival::Unknown,
            // What is taken for a truth value has to be one.
            Arrival::Value if is_truth(types.get(kind)) && !is_truth(given) => Arrival::Unknown,
            arrival => arrival,
        };
        passing.parameters.push(arrival);
        shifted |= Room::of(types, given) != Room::of(types, expected_as);
    }
    let (given, expected) = (arguments.len(), callee.parameters.len());
    if given < expected || given > expected && !is_variadic {
        passing.disagree(|| format!("{given} argument{} for {expected}", if given == 1 { "" } else { "s" }));
    }
    if is_variadic {
        // A call that does not know of them does not say how many are in registers for floating-point numbers.
        let mut further = arguments.iter().skip(expected);
        let is_plain = |argument: &Expression<Place>| match argument.numeric {
            Numeric::Integer(kind) => kind.bits == 32 || kind.bits == 64,
            Numeric::Pointer => true,
            Numeric::Floating(_) | Numeric::Aggregate => false,
        };
        let are_handed_over = is_called_variadic && said.len() == own.len() || !has_prototype || further.all(is_plain);
        passing.is_bounded = !shifted && are_handed_over;
    }
    if !alike(types.get(*result), types.get(*wanted)) {
        passing.disagree(|| {
            let (result, wanted) = (types.display(*result), types.display(*wanted));
            format!("a result of type {wanted} where it returns {result}")
        });
        // It is written to where the caller says, or left where others are.
        let is_apart = |kind: &Type| match kind {
            Type::Record(_) | Type::Array(..) | Type::Function { .. } => true,
            Type::Floating(bits) => *bits > 64 || types.model() == DataModel::Ilp32,
            Type::Void | Type::Integer(_) | Type::Pointer(_) => false,
        };
        passing.is_bounded &= ![result, wanted].into_iter().any(|kind| is_apart(types.get(*kind)));
    }
    passing
}

impl Passing {
    fn disagree(&mut self, why: impl FnOnce() -> String) {
        self.disagreement.get_or_insert_with(why);
    }
}

fn result_arrival(types: &Types, given: TypeId, expected: TypeId) -> Arrival {
    match (types.get(given), types.get(expected)) {
        (Type::Void, _) | (_, Type::Void) => Arrival::Missing,
        (given, expected) if is_truth(expected) && !is_truth(given) => Arrival::Unknown,
        (given, expected) => arrival(types, given, false, expected),
    }
}

/// What arrives of a value of one type as one of another type. `is_null` says whether it is a constant zero, which is as good a
/// null pointer as any.
pub(super) fn arrival(types: &Types, given: &Type, is_null: bool, expected: &Type) -> Arrival {
    let word = types.word_bits();
    match (given, expected) {
        (Type::Record(given), Type::Record(expected)) if given == expected => Arrival::Value,
        (Type::Floating(given), Type::Floating(expected)) if given == expected => Arrival::Value,
        (Type::Pointer(_), Type::Pointer(_)) => Arrival::Value,
        (Type::Integer(given), Type::Integer(expected)) if given.bits >= expected.bits => Arrival::Value,
        (Type::Integer(_), Type::Integer(expected)) if expected.bits <= 64 => Arrival::LowerBits,
        (Type::Pointer(_), Type::Integer(expected)) if expected.bits == word => Arrival::Value,
        (Type::Integer(given), Type::Pointer(_)) if given.bits == word || is_null => Arrival::Value,
        _ => Arrival::Unknown,
    }
}

/// Whether values of the types are handed over alike, as far as this table of types can tell: all pointers are, and integers of
/// one size.
fn alike(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (Type::Integer(one), Type::Integer(other)) => one.bits == other.bits,
        _ => one == other,
    }
}

/// The type as which an argument for such a parameter arrives where no prototype says another one.
fn promoted(kind: &Type) -> Type {
    match kind {
        Type::Integer(kind) => Type::Integer(kind.promoted()),
        Type::Floating(32) => Type::Floating(64),
        kind => kind.clone(),
    }
}

fn is_truth(kind: &Type) -> bool {
    *kind == Type::Integer(IntegerType::BOOL)
}

/// Where an argument lies.
#[derive(PartialEq, Eq, Debug)]
enum Room<'t> {
    /// In so many registers, or words of the stack.
    Words(u64),
    /// In a register for floating-point numbers.
    Vector,
    /// Where such a one lies.
    Like(&'t Type),
}

impl Room<'_> {
    fn of<'t>(types: &Types, kind: &'t Type) -> Room<'t> {
        let bits = match kind {
            Type::Integer(kind) => u64::from(kind.bits),
            Type::Pointer(_) => u64::from(types.word_bits()),
            Type::Floating(bits) if types.model() == DataModel::Ilp32 => u64::from(*bits),
            Type::Floating(32 | 64) => return Room::Vector,
            kind => return Room::Like(kind),
        };
        Room::Words(bits.div_ceil(u64::from(types.word_bits())))
    }
}

/// Whether the value is a constant zero.
pub(super) fn is_zero(value: &Expression<Place>) -> bool {
    match &value.kind {
        ExpressionKind::Integer(number) => *number == 0.into(),
        ExpressionKind::Convert(inner) => is_zero(inner),
        _ => false,
    }
}
