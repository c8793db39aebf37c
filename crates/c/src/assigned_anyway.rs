//! Assignments that are made anyway: `if (x != y) x = y;` is `x = y;`.
//!
//! Simulators of hardware write signals so, and tell others of the change; where nobody listens, slicing leaves the assignment alone.
//! As a branch it is three ways (less, greater, equal) to one and the same state.

use super::flat::{
    FlatBlockId, FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator, Leaf,
};
use super::program::{BinaryOperator, ExpressionKind, Numeric, UnaryOperator};
use super::ranges::Interval;

/// Makes them without their conditions, where integers are compared and assigned, in types that have the values of both.
pub(crate) fn assign_anyway(program: &mut FlatProgram) {
    for index in 0..program.blocks.len() {
        if let Some((assignment, next)) = assigned_anyway(program, FlatBlockId(index as u32)) {
            let block = &mut program.blocks[index];
            block.instructions.push(assignment);
            block.terminator = FlatTerminator::Goto(next);
        }
    }
}

/// The assignment that a block's branch is about, and where both sides go on.
fn assigned_anyway(program: &FlatProgram, id: FlatBlockId) -> Option<(FlatInstruction, FlatBlockId)> {
    let block = |id: FlatBlockId| program.blocks.get(id.0 as usize);
    let FlatTerminator::Branch {
        condition,
        then,
        otherwise,
    } = &block(id)?.terminator
    else {
        return None;
    };
    let (sides, differ) = compared(condition)?;
    let (assigning, idle) = match differ {
        true => (*then, *otherwise),
        false => (*otherwise, *then),
    };
    let assigning = block(assigning)?;
    let [assignment] = assigning.instructions.as_slice() else {
        return None;
    };
    let FlatInstructionKind::Assign(variable, value) = &assignment.kind else {
        return None;
    };
    let is_variable =
        |side: &FlatExpression| matches!(&side.kind, ExpressionKind::Read(Leaf::Variable(read)) if read == variable);
    let [left, right] = sides;
    let same = is_variable(left) && is_same(right, value) || is_variable(right) && is_same(left, value);
    (same && assigning.terminator == FlatTerminator::Goto(idle)).then(|| (assignment.clone(), idle))
}

/// The two integers that a condition compares, and whether it holds where they differ.
fn compared(condition: &FlatExpression) -> Option<([&FlatExpression; 2], bool)> {
    let (mut condition, mut differ) = (condition, true);
    loop {
        match &condition.kind {
            ExpressionKind::Unary(UnaryOperator::Not, operand) => (condition, differ) = (operand, !differ),
            ExpressionKind::Binary(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), left, right) => {
                let sides = [as_it_was(left), as_it_was(right)];
                let are_integers = sides.iter().all(|side| matches!(side.numeric, Numeric::Integer(_)));
                let holds = *operator == BinaryOperator::NotEqual;
                return are_integers.then_some((sides, holds == differ));
            }
            _ => return None,
        }
    }
}

/// The value before conversions that change no value.
fn as_it_was(value: &FlatExpression) -> &FlatExpression {
    let mut value = value;
    while let (ExpressionKind::Convert(operand), Numeric::Integer(to)) = (&value.kind, value.numeric)
        && let Numeric::Integer(from) = operand.numeric
        && Interval::of_type(to).includes(&Interval::of_type(from))
    {
        value = operand;
    }
    value
}

/// Whether the two are the same variable or number.
fn is_same(one: &FlatExpression, other: &FlatExpression) -> bool {
    match (&one.kind, &as_it_was(other).kind) {
        (ExpressionKind::Integer(one), ExpressionKind::Integer(other)) => one == other,
        (ExpressionKind::Read(Leaf::Variable(one)), ExpressionKind::Read(Leaf::Variable(other))) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::options::Options;
    use crate::translate;

    /// The query, the start, and the loop with an error or without.
    const ANYWAY: usize = 4;

    /// How many rules there are of a loop that writes a signal so, and stops if this is said of it.
    fn rules(kind: &str, writes: &str, wrong: &str) -> usize {
        let source = format!(
            "void reach_error(void); {kind} unknown(void);
             int main(void) {{
                 {kind} now = 0, next = 0; int event = 0;
                 while (1) {{
                     next = unknown();
                     if ({writes}) {{ now = next; event = 1; }}
                     if ({wrong}) reach_error();
                 }}
             }}"
        );
        let translation = translate(&source, &Options::default()).product.expect("it is C");
        translation.program.rules().len()
    }

    #[test]
    fn a_signal_is_written_without_a_condition_where_nobody_listens() {
        for (kind, writes) in [
            ("int", "now != next"),
            ("int", "!(now == next)"),
            ("short", "next != now"),
        ] {
            assert_eq!(rules(kind, writes, "now > 5"), ANYWAY, "{kind} {writes}");
        }
    }

    #[test]
    fn the_condition_stays_where_its_sides_differ() {
        for (kind, writes, wrong) in [
            ("int", "now != next", "now < event"),
            ("int", "now < next", "now > 5"),
            ("int", "now != 3", "now > 5"),
            // A negative number is another one without a sign.
            ("int", "(unsigned)now != next + 0u", "now > 5"),
            ("int", "(char)now != next", "now > 5"),
            // Zeros of both signs are equal, and what is no number differs from itself.
            ("double", "now != next", "now > 5"),
        ] {
            assert!(rules(kind, writes, wrong) > ANYWAY, "{kind} {writes} {wrong}");
        }
    }
}
