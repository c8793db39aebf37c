//! Names to show: that of the C variable alone if it is the only one, else with its function and the number of the copy.

use super::layout::Layout;
use crate::inline::Inlined;
use crate::program::{Program, VariableId};
use hashbrown::{HashMap, HashSet};

/// What a flat variable is a part of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A variable of the inlined program.
    Variable(VariableId),
    /// An allocation.
    Allocated(usize),
    /// Memory of this type that pointers from outside point to.
    Outside(String),
    /// Nothing in the source.
    Made(String),
}

/// Names all variables.
pub fn assign(layout: &mut Layout<'_>, program: &Program, inlined: &Inlined) {
    let mut roots = Vec::new();
    let mut known = HashSet::new();
    for (root, _) in &layout.roots {
        if let Root::Variable(variable) = root
            && known.insert(*variable)
        {
            roots.push(*variable);
        }
    }
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    for root in &roots {
        *bearers.entry(short(inlined, *root)).or_insert(0) += 1;
    }
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut names: HashMap<VariableId, String> = HashMap::new();
    for root in &roots {
        let short = short(inlined, *root);
        let name = match bearers.get(short) {
            Some(1) => short.to_string(),
            _ => long(program, inlined, *root, short),
        };
        names.insert(*root, unique(&mut taken, name));
    }
    for (info, (root, path)) in layout.variables.iter_mut().zip(&layout.roots) {
        info.name = match root {
            Root::Variable(variable) => format!("{}{path}", names.get(variable).map_or("", String::as_str)),
            Root::Allocated(site) => format!("heap{}{path}", site + 1),
            Root::Outside(kind) => format!("outside({kind}){path}"),
            Root::Made(name) => unique(&mut taken, name.clone()),
        };
    }
}

/// The name itself, or with the first number that makes it a new one. The table counts the uses of each name.
fn unique(taken: &mut HashMap<String, usize>, name: String) -> String {
    let mut number = match taken.get(&name) {
        None => {
            taken.insert(name.clone(), 1);
            return name;
        }
        Some(number) => *number,
    };
    loop {
        number += 1;
        let numbered = format!("{name}~{number}");
        if !taken.contains_key(&numbered) {
            taken.insert(numbered.clone(), 1);
            taken.insert(name, number);
            return numbered;
        }
    }
}

fn short(inlined: &Inlined, instance: VariableId) -> &str {
    inlined
        .program
        .variables
        .get(instance.0 as usize)
        .map_or("", |variable| &variable.name)
}

fn long(program: &Program, inlined: &Inlined, instance: VariableId, short: &str) -> String {
    let owner = inlined.origins.get(instance.0 as usize).and_then(|origin| origin.owner);
    let function = owner.and_then(|owner| program.functions.get(owner.function as usize));
    match (owner, function) {
        (Some(owner), Some(function)) if owner.instance > 0 => {
            format!("{}::{short}#{}", function.name, owner.instance + 1)
        }
        (Some(_), Some(function)) => format!("{}::{short}", function.name),
        _ => short.to_string(),
    }
}
