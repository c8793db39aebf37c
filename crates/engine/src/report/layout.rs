//! Where the boxes of a tree go: a tidy layout in the manner of Reingold and Tilford for boxes of any width, in time that
//! grows with the number of boxes. Rows are as high as their highest box; subtrees are pushed together until their
//! outlines are a gap apart; a parent stands over the middle of its children.

/// Space between neighbouring boxes of a row.
const COLUMN_GAP: f64 = 28.0;
/// Space between rows, for the edges.
const ROW_GAP: f64 = 44.0;

/// Width and height of a box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Where a box stands.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Place {
    /// The middle of the box.
    pub(super) centre: f64,
    /// Its upper edge.
    pub(super) top: f64,
    /// The lower edge of the whole row.
    pub(super) row_bottom: f64,
}

/// All places, and the size of the whole.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Layout {
    pub(super) places: Vec<Place>,
    pub(super) size: Size,
}

/// The outline of a subtree: the left and right end of each of its rows, the deepest row first (so that a new root is a
/// push), relative to `origin`, which is relative to the subtree's root (so that moving the outline is an addition).
struct Outline {
    rows: Vec<(f64, f64)>,
    origin: f64,
}

/// Lays out a forest given by each box's parent; a parent comes before its children.
pub(super) fn lay_out(parents: &[Option<usize>], sizes: &[Size]) -> Layout {
    let count = parents.len().min(sizes.len());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    let mut depth = vec![0usize; count];
    for node in 0..count {
        match parents[node].filter(|parent| *parent < node) {
            Some(parent) => {
                depth[node] = depth[parent] + 1;
                children[parent].push(node);
            }
            None => roots.push(node),
        }
    }

    let mut outlines: Vec<Option<Outline>> = (0..count).map(|_| None).collect();
    let mut offset = vec![0.0; count];
    for node in (0..count).rev() {
        let mut outline = join(&children[node], &mut outlines, &mut offset);
        let half = sizes[node].width / 2.0;
        outline.rows.push((-half - outline.origin, half - outline.origin));
        outlines[node] = Some(outline);
    }
    let whole = join(&roots, &mut outlines, &mut offset);
    let left = whole.rows.iter().map(|row| row.0).fold(f64::INFINITY, f64::min);
    let right = whole.rows.iter().map(|row| row.1).fold(f64::NEG_INFINITY, f64::max);

    let mut row_heights = vec![0.0f64; depth.iter().max().map_or(0, |deepest| deepest + 1)];
    for node in 0..count {
        row_heights[depth[node]] = row_heights[depth[node]].max(sizes[node].height);
    }
    let mut row_tops = Vec::with_capacity(row_heights.len());
    let mut next_top = 0.0;
    for height in &row_heights {
        row_tops.push(next_top);
        next_top += height + ROW_GAP;
    }
    let mut places = vec![Place::default(); count];
    for node in 0..count {
        let base = match parents[node].filter(|parent| *parent < node) {
            Some(parent) => places[parent].centre,
            None => -(left + whole.origin),
        };
        places[node] = Place {
            centre: base + offset[node],
            top: row_tops[depth[node]],
            row_bottom: row_tops[depth[node]] + row_heights[depth[node]],
        };
    }
    Layout {
        places,
        size: Size {
            width: (right - left).max(0.0),
            height: (next_top - ROW_GAP).max(0.0),
        },
    }
}

/// Puts subtrees side by side and their parent over the middle: sets the offsets of their roots and returns the outline of
/// all of them.
fn join(siblings: &[usize], outlines: &mut [Option<Outline>], offset: &mut [f64]) -> Outline {
    let mut joined = Outline {
        rows: Vec::new(),
        origin: 0.0,
    };
    for (position, sibling) in siblings.iter().enumerate() {
        let Some(mut next) = outlines[*sibling].take() else {
            continue;
        };
        if position == 0 {
            joined = next;
            continue;
        }
        let shared = joined.rows.len().min(next.rows.len());
        let pairs = joined.rows.iter().rev().zip(next.rows.iter().rev());
        let shift = pairs
            .map(|(mine, theirs)| (mine.1 + joined.origin) - (theirs.0 + next.origin))
            .fold(f64::NEG_INFINITY, f64::max)
            + COLUMN_GAP;
        offset[*sibling] = shift;
        next.origin += shift;
        let (mine, theirs) = (joined.rows.len() - shared, next.rows.len() - shared);
        // The deeper outline stays, with the shared rows widened: work only for the rows that both have.
        if mine >= theirs {
            for row in 0..shared {
                joined.rows[mine + row].1 = next.rows[theirs + row].1 + next.origin - joined.origin;
            }
        } else {
            for row in 0..shared {
                next.rows[theirs + row].0 = joined.rows[mine + row].0 + joined.origin - next.origin;
            }
            joined = next;
        }
    }
    if let (Some(first), Some(last)) = (siblings.first(), siblings.last()) {
        let middle = (offset[*first] + offset[*last]) / 2.0;
        for sibling in siblings {
            offset[*sibling] -= middle;
        }
        joined.origin -= middle;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn size(width: f64) -> Size {
        Size { width, height: 10.0 }
    }

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        let layout = lay_out(&[None, Some(0), Some(0)], &[size(10.0), size(20.0), size(20.0)]);
        let centres: Vec<f64> = layout.places.iter().map(|place| place.centre).collect();
        assert_eq!(centres, [34.0, 10.0, 58.0]);
        assert_eq!(layout.size.width, 68.0);
    }

    #[test]
    fn a_chain_of_100_000_boxes_is_no_problem() {
        let parents: Vec<Option<usize>> = (0..100_000usize).map(|node| node.checked_sub(1)).collect();
        let layout = lay_out(&parents, &vec![size(10.0); 100_000]);
        assert!(layout.places.iter().all(|place| place.centre == 5.0));
    }

    proptest! {
        #[test]
        fn boxes_never_overlap(shape in proptest::collection::vec((0usize..1000, 5u32..300), 1..80)) {
            let parents: Vec<Option<usize>> = shape
                .iter()
                .enumerate()
                .map(|(node, (choice, _))| (node > 0).then(|| choice % node.max(1)))
                .collect();
            let sizes: Vec<Size> = shape.iter().map(|(_, width)| size(f64::from(*width))).collect();
            let layout = lay_out(&parents, &sizes);
            for first in 0..shape.len() {
                let a = layout.places[first];
                prop_assert!(a.centre - sizes[first].width / 2.0 > -0.001);
                prop_assert!(a.centre + sizes[first].width / 2.0 < layout.size.width + 0.001);
                for second in 0..first {
                    let b = layout.places[second];
                    let distance = (a.centre - b.centre).abs();
                    let needed = (sizes[first].width + sizes[second].width) / 2.0 + COLUMN_GAP - 0.001;
                    prop_assert!(a.top != b.top || distance >= needed);
                }
            }
        }
    }
}
