//! Operations on machine words as Z3's.

use crate::terms::WordOperator;
use z3::ast::{BV, Dynamic};

/// An operation over arguments that are Z3's terms already; `width` is the result's, if it is a word.
pub(super) fn word_term(operator: WordOperator, arguments: &[Dynamic], width: Option<u32>) -> Option<Dynamic> {
    let word = |position: usize| arguments.get(position)?.as_bv();
    let both = |operation: fn(&BV, BV) -> BV| Some(operation(&word(0)?, word(1)?).into());
    Some(match operator {
        WordOperator::Not => word(0)?.bvnot().into(),
        WordOperator::Negate => word(0)?.bvneg().into(),
        WordOperator::And => return both(|left, right| left.bvand(&right)),
        WordOperator::Or => return both(|left, right| left.bvor(&right)),
        WordOperator::Xor => return both(|left, right| left.bvxor(&right)),
        WordOperator::Add => return both(|left, right| left.bvadd(&right)),
        WordOperator::Subtract => return both(|left, right| left.bvsub(&right)),
        WordOperator::Multiply => return both(|left, right| left.bvmul(&right)),
        WordOperator::UnsignedDivide => return both(|left, right| left.bvudiv(&right)),
        WordOperator::UnsignedRemainder => return both(|left, right| left.bvurem(&right)),
        WordOperator::SignedDivide => return both(|left, right| left.bvsdiv(&right)),
        WordOperator::SignedRemainder => return both(|left, right| left.bvsrem(&right)),
        WordOperator::SignedModulo => return both(|left, right| left.bvsmod(&right)),
        WordOperator::ShiftLeft => return both(|left, right| left.bvshl(&right)),
        WordOperator::ShiftRight => return both(|left, right| left.bvlshr(&right)),
        WordOperator::SignedShiftRight => return both(|left, right| left.bvashr(&right)),
        WordOperator::Concatenate => return both(|left, right| left.concat(&right)),
        WordOperator::Extract(low) => word(0)?.extract(low.checked_add(width?)?.checked_sub(1)?, low).into(),
        WordOperator::SignExtend => {
            let from = word(0)?;
            let more = width?.checked_sub(from.get_size())?;
            from.sign_ext(more).into()
        }
        WordOperator::UnsignedLessOrEqual => word(0)?.bvule(&word(1)?).into(),
        WordOperator::SignedLessOrEqual => word(0)?.bvsle(&word(1)?).into(),
        WordOperator::ToInteger => word(0)?.to_int(false).into(),
        WordOperator::OfInteger => BV::from_int(&arguments.first()?.as_int()?, width?).into(),
    })
}
