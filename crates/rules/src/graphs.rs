//! Graphs of numbered nodes.

/// The strongly connected components among the nodes of a set (Kosaraju's two passes), each before those that it leads to. Nodes are
/// positions in `successors`, and so are its entries.
pub fn components(successors: &[Vec<usize>], inside: &[bool]) -> Vec<Vec<usize>> {
    let count = successors.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut seen = vec![false; count];
    let mut finished = Vec::new();
    for start in (0..count).filter(|node| inside[*node]) {
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((current, position)) = stack.last_mut() {
            let current = *current;
            let Some(next) = successors[current].get(*position).copied() else {
                finished.push(current);
                stack.pop();
                continue;
            };
            *position += 1;
            if inside[next] {
                predecessors[next].push(current);
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, 0));
                }
            }
        }
    }
    let mut taken = vec![false; count];
    let mut found = Vec::new();
    for root in finished.into_iter().rev() {
        let mut component = Vec::new();
        let mut stack = vec![root];
        while let Some(current) = stack.pop() {
            if !std::mem::replace(&mut taken[current], true) {
                component.push(current);
                stack.extend_from_slice(&predecessors[current]);
            }
        }
        if !component.is_empty() {
            found.push(component);
        }
    }
    found
}

/// Nodes in groups of those that need each other, each group after those that it needs and otherwise in the order of the nodes. `needs`
/// has for each node those that it needs.
pub fn groups(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    // Backward, so that nodes that need nothing of each other stay in their order.
    let last = needs.len().saturating_sub(1);
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
    for (node, needed) in needs.iter().enumerate() {
        for needed in needed {
            users[last - needed].push(last - node);
        }
    }
    let group = |backward: Vec<usize>| {
        let mut nodes: Vec<usize> = backward.into_iter().map(|node| last - node).collect();
        nodes.sort_unstable();
        nodes
    };
    let found = components(&users, &vec![true; needs.len()]);
    found.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_each_other_is_together_and_comes_before_what_it_leads_to() {
        // 0 -> 1 <-> 2 -> 3, and 4 alone.
        let successors = vec![vec![1], vec![2], vec![1, 3], vec![], vec![]];
        let mut found = components(&successors, &[true; 5]);
        found.iter_mut().for_each(|component| component.sort());
        let place = |wanted: &[usize]| found.iter().position(|component| component == wanted);
        assert_eq!(found.len(), 4);
        assert!(place(&[0]) < place(&[1, 2]) && place(&[1, 2]) < place(&[3]) && place(&[4]).is_some());
        assert!(components(&successors, &[false; 5]).is_empty());
    }

    #[test]
    fn groups_come_after_what_they_need_and_else_in_order() {
        // 0 needs 3, and 1 and 2 each other.
        let needs = vec![vec![3], vec![2], vec![1], vec![], vec![]];
        assert_eq!(groups(&needs), [vec![1, 2], vec![3], vec![0], vec![4]]);
        // What is in order already stays as it is.
        let ordered = vec![vec![], vec![], vec![0], vec![4], vec![3], vec![1]];
        assert_eq!(groups(&ordered), [vec![0], vec![1], vec![2], vec![3, 4], vec![5]]);
    }
}
