//! The scalar parts of a type: the paths of fields to them, with array steps left out.

use super::locations::innermost;
use crate::types::{Type, TypeId, Types};

/// No type is taken apart further than into so many leaves.
const MAXIMAL_LEAVES: usize = 8_192;

/// The paths, in the order of the fields. For a scalar it is the empty path.
pub fn paths(types: &Types, kind: TypeId) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    let mut stack = vec![(kind, Vec::new())];
    while let Some((kind, path)) = stack.pop() {
        let (element, _) = innermost(types, kind);
        if let Type::Record(record) = types.get(element)
            && let Some(fields) = &types.record(*record).fields
            && !fields.is_empty()
        {
            for (index, field) in fields.iter().enumerate().rev() {
                let mut longer = path.clone();
                longer.push(index);
                stack.push((field.kind, longer));
            }
        } else {
            paths.push(path);
        }
        if paths.len() + stack.len() > MAXIMAL_LEAVES {
            break;
        }
    }
    paths
}

/// The type at the end of a path, with array steps left out.
pub fn at(types: &Types, kind: TypeId, path: &[usize]) -> Option<TypeId> {
    let mut current = innermost(types, kind).0;
    for field in path {
        let Type::Record(record) = types.get(current) else {
            return None;
        };
        let fields = types.record(*record).fields.as_deref()?;
        current = innermost(types, fields.get(*field)?.kind).0;
    }
    Some(current)
}
