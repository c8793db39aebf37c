//! Algebraic datatypes: their declarations, and the constructors of terms over them with the simplifications that need no
//! solver.
//!
//! A datatype has constructors, a constructor has fields. A field is a function of the whole: of a term that another constructor
//! made its value is unspecified, as in SMT-LIB, so nothing is concluded from it.

use super::{Operator, Sort, SortId, TermId, Terms};
use hashbrown::HashSet;

/// The index of a datatype inside one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DatatypeId(u32);

/// The index of a constructor inside one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstructorId(u32);

/// The index of a field inside one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldId(u32);

/// A datatype: its values are what its constructors make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// Its name, as the text that declares it has it.
    pub name: String,
    /// Its sort.
    pub sort: SortId,
    /// Its constructors, in the order of the declaration.
    pub constructors: Vec<ConstructorId>,
    /// Datatypes that were declared together, because they may refer to each other, have the same number.
    pub group: u32,
    /// Whether its values are the lists of CLP rules, written `[a, b]`: the first constructor makes the empty one, the second one puts
    /// an element in front of a list.
    pub is_list: bool,
}

/// A constructor of a datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// The datatype whose values it makes.
    pub datatype: DatatypeId,
    /// Its fields, in order.
    pub fields: Vec<FieldId>,
}

/// A field of a constructor: a part of the values that it makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The constructor whose field it is.
    pub constructor: ConstructorId,
    /// Which of the constructor's fields, from 0.
    pub position: usize,
    /// The sort of the part.
    pub sort: SortId,
}

/// All datatypes of a table of terms.
#[derive(Clone, Default, Debug)]
pub(super) struct Datatypes {
    datatypes: Vec<Datatype>,
    constructors: Vec<Constructor>,
    fields: Vec<Field>,
}

impl ConstructorId {
    /// The index, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FieldId {
    /// The index, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Terms {
    /// Declares datatypes that may refer to each other, without constructors yet: each has its sort from now on.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{SortId, Terms};
    /// let mut terms = Terms::new();
    /// let list = terms.declare_datatypes(&["list"])[0];
    /// let nil = terms.add_constructor(list, "nil", &[]).unwrap();
    /// let cons = terms.add_constructor(list, "cons", &[("head", SortId::INT), ("tail", list)]).unwrap();
    /// let one = terms.integer(1);
    /// let end = terms.construct(nil, &[]);
    /// let single = terms.construct(cons, &[one, end]);
    /// let head = terms.constructor(cons).fields[0];
    /// assert_eq!(terms.field_of(head, single), one);
    /// assert_eq!(terms.display(single).to_string(), "cons(1, nil)");
    /// ```
    pub fn declare_datatypes(&mut self, names: &[&str]) -> Vec<SortId> {
        let group = self.datatypes.datatypes.last().map_or(0, |last| last.group + 1);
        names.iter().map(|name| self.declare_in(group, name)).collect()
    }

    /// Declares one more datatype together with those that were declared last.
    pub fn declare_datatype_with_last(&mut self, name: &str) -> SortId {
        let group = self.datatypes.datatypes.last().map_or(0, |last| last.group);
        self.declare_in(group, name)
    }

    fn declare_in(&mut self, group: u32, name: &str) -> SortId {
        let id = DatatypeId(self.datatypes.datatypes.len() as u32);
        let sort = SortId(self.sorts.len() as u32);
        self.sorts.push(Sort::Datatype(id));
        self.datatypes.datatypes.push(Datatype {
            name: name.to_string(),
            sort,
            constructors: Vec::new(),
            group,
            is_list: false,
        });
        sort
    }

    /// Adds a constructor with named fields to a datatype; `None` if the sort is no datatype.
    pub fn add_constructor(&mut self, sort: SortId, name: &str, fields: &[(&str, SortId)]) -> Option<ConstructorId> {
        let Sort::Datatype(datatype) = self.sort_of_id(sort) else {
            return None;
        };
        let constructor = ConstructorId(self.datatypes.constructors.len() as u32);
        let mut ids = Vec::with_capacity(fields.len());
        for (position, (name, sort)) in fields.iter().enumerate() {
            ids.push(FieldId(self.datatypes.fields.len() as u32));
            self.datatypes.fields.push(Field {
                name: (*name).to_string(),
                constructor,
                position,
                sort: *sort,
            });
        }
        self.datatypes.constructors.push(Constructor {
            name: name.to_string(),
            datatype,
            fields: ids,
        });
        self.datatypes.datatypes[datatype.0 as usize]
            .constructors
            .push(constructor);
        Some(constructor)
    }

    /// Says that the values of a datatype are written as lists. Nothing is said if its constructors are not those of lists.
    pub fn mark_as_list(&mut self, sort: SortId) {
        let Some(Sort::Datatype(id)) = self.sorts.get(sort.0 as usize).copied() else {
            return;
        };
        let datatype = &self.datatypes.datatypes[id.0 as usize];
        let is_list = match datatype.constructors[..] {
            [nil, cons] => {
                let (nil, cons) = (self.constructor(nil), self.constructor(cons));
                let tail = cons.fields.get(1).map(|tail| self.field(*tail).sort);
                nil.fields.is_empty() && cons.fields.len() == 2 && tail == Some(sort)
            }
            _ => false,
        };
        self.datatypes.datatypes[id.0 as usize].is_list = is_list;
    }

    /// Of a datatype of lists, the constructors of the empty list and of the others.
    pub fn list_constructors(&self, sort: SortId) -> Option<[ConstructorId; 2]> {
        let datatype = self.datatype(sort).filter(|datatype| datatype.is_list)?;
        match datatype.constructors[..] {
            [nil, cons] => Some([nil, cons]),
            _ => None,
        }
    }

    /// Of a datatype of lists, the sort of the elements.
    pub fn list_element(&self, sort: SortId) -> Option<SortId> {
        let [_, cons] = self.list_constructors(sort)?;
        let head = self.constructor(cons).fields.first()?;
        Some(self.field(*head).sort)
    }

    /// All datatypes, in the order of their declaration.
    pub fn datatypes(&self) -> &[Datatype] {
        &self.datatypes.datatypes
    }

    /// All constructors, by their index.
    pub fn constructors(&self) -> &[Constructor] {
        &self.datatypes.constructors
    }

    /// All fields, by their index.
    pub fn fields(&self) -> &[Field] {
        &self.datatypes.fields
    }

    /// The datatype of a sort, if it is one.
    pub fn datatype(&self, sort: SortId) -> Option<&Datatype> {
        match self.sort_of_id(sort) {
            Sort::Datatype(id) => Some(&self.datatypes.datatypes[id.0 as usize]),
            _ => None,
        }
    }

    /// A constructor by its id.
    pub fn constructor(&self, id: ConstructorId) -> &Constructor {
        &self.datatypes.constructors[id.0 as usize]
    }

    /// The sort of what a constructor makes.
    pub fn constructed_sort(&self, id: ConstructorId) -> SortId {
        self.datatypes.datatypes[self.constructor(id).datatype.0 as usize].sort
    }

    /// A field by its id.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.datatypes.fields[id.0 as usize]
    }

    /// Of each datatype of a group, whether it has values that are finite terms, as long as all other groups have: a fixpoint
    /// that starts from the constructors without fields of the group.
    pub fn are_inhabited(&self, group: u32) -> bool {
        let members: Vec<&Datatype> = self.datatypes().iter().filter(|one| one.group == group).collect();
        let mut inhabited: HashSet<SortId> = HashSet::new();
        loop {
            let before = inhabited.len();
            for member in &members {
                let finite = |id: &ConstructorId| {
                    let fields = self.constructor(*id).fields.iter();
                    let mut sorts = fields.map(|field| self.innermost_element(self.field(*field).sort));
                    sorts.all(|sort| {
                        inhabited.contains(&sort) || self.datatype(sort).is_none_or(|other| other.group != group)
                    })
                };
                if member.constructors.iter().any(finite) {
                    inhabited.insert(member.sort);
                }
            }
            if inhabited.len() == before {
                return inhabited.len() == members.len();
            }
        }
    }

    /// Whether a field of one of the sorts, which were declared together, is an array that has one of them inside.
    pub fn hold_themselves_in_arrays(&self, sorts: &[SortId]) -> bool {
        let own = |field: &&Field| sorts.contains(&self.constructed_sort(field.constructor));
        self.fields().iter().filter(own).any(|field| {
            let mut stack = match self.sort_of_id(field.sort) {
                Sort::Array(index, element) => vec![index, element],
                _ => Vec::new(),
            };
            while let Some(sort) = stack.pop() {
                if sorts.contains(&sort) {
                    return true;
                }
                if let Sort::Array(index, element) = self.sort_of_id(sort) {
                    stack.extend([index, element]);
                }
            }
            false
        })
    }

    /// What arrays of arrays … of the sort hold in the end.
    pub(super) fn innermost_element(&self, sort: SortId) -> SortId {
        let mut sort = sort;
        while let Sort::Array(_, element) = self.sort_of_id(sort) {
            sort = element;
        }
        sort
    }

    /// What a constructor makes of terms for its fields.
    pub fn construct(&mut self, constructor: ConstructorId, arguments: &[TermId]) -> TermId {
        let sort = self.constructed_sort(constructor);
        // A whole put together from all its own parts is the whole.
        if let Some(whole) = self.whole_of_parts(constructor, arguments) {
            return whole;
        }
        self.intern(Operator::Construct(constructor), arguments, sort)
    }

    fn whole_of_parts(&self, constructor: ConstructorId, arguments: &[TermId]) -> Option<TermId> {
        // With other constructors around, the parts of such a whole would not be this one's fields.
        let datatype = &self.datatypes.datatypes[self.constructor(constructor).datatype.0 as usize];
        if datatype.constructors.len() != 1 {
            return None;
        }
        let part = |(argument, field): (&TermId, &FieldId)| match (self.operator(*argument), self.arguments(*argument))
        {
            (Operator::Field(found), [whole]) if found == *field => Some(*whole),
            _ => None,
        };
        let mut wholes = arguments.iter().zip(&self.constructor(constructor).fields).map(part);
        let first = wholes.next()??;
        wholes.all(|whole| whole == Some(first)).then_some(first)
    }

    /// A field of a term of a datatype.
    pub fn field_of(&mut self, field: FieldId, whole: TermId) -> TermId {
        let (constructor, position, sort) = {
            let field = self.field(field);
            (field.constructor, field.position, field.sort)
        };
        if self.operator(whole) == Operator::Construct(constructor)
            && let Some(part) = self.arguments(whole).get(position)
        {
            return *part;
        }
        self.intern(Operator::Field(field), &[whole], sort)
    }

    /// Whether a term of a datatype was made by the constructor.
    pub fn is_made_by(&mut self, constructor: ConstructorId, whole: TermId) -> TermId {
        let datatype = &self.datatypes.datatypes[self.constructor(constructor).datatype.0 as usize];
        if datatype.constructors.len() == 1 {
            return TermId::TRUE;
        }
        if let Operator::Construct(other) = self.operator(whole) {
            return self.boolean(other == constructor);
        }
        if self.constructor(constructor).fields.is_empty() {
            let constant = self.construct(constructor, &[]);
            return self.equal(whole, constant);
        }
        self.intern(Operator::IsMadeBy(constructor), &[whole], SortId::BOOL)
    }

    /// The negation of an atom that says of a list whether it is empty: there is one way to say each, as there is one to write it.
    pub(super) fn negated_emptiness(&mut self, atom: TermId) -> Option<TermId> {
        let (&first, second) = (self.arguments(atom).first()?, self.arguments(atom).get(1).copied());
        let [nil, cons] = self.list_constructors(self.sort(first))?;
        let is_nil = |terms: &Terms, side: TermId| terms.operator(side) == Operator::Construct(nil);
        match (self.operator(atom), second) {
            (Operator::Equal, Some(second)) if is_nil(self, first) => Some(self.is_made_by(cons, second)),
            (Operator::Equal, Some(second)) if is_nil(self, second) => Some(self.is_made_by(cons, first)),
            (Operator::IsMadeBy(_), None) => Some(self.is_made_by(nil, first)),
            _ => None,
        }
    }

    /// The equality of two different terms of a datatype: part by part as long as both are constructed, on a stack of its own.
    pub(super) fn equal_constructed(&mut self, left: TermId, right: TermId) -> TermId {
        let mut conjuncts = Vec::new();
        let mut stack = vec![(left, right)];
        while let Some((left, right)) = stack.pop() {
            if left == right {
                continue;
            }
            match (self.operator(left), self.operator(right)) {
                (Operator::Construct(first), Operator::Construct(second)) if first == second => {
                    let pairs = self.arguments(left).iter().zip(self.arguments(right));
                    stack.extend(pairs.map(|(left, right)| (*left, *right)));
                }
                (Operator::Construct(_), Operator::Construct(_)) => return TermId::FALSE,
                _ if self.datatype(self.sort(left)).is_some() => {
                    let (first, second) = (left.min(right), left.max(right));
                    conjuncts.push(self.intern(Operator::Equal, &[first, second], SortId::BOOL));
                }
                _ => {
                    let equal = self.equal(left, right);
                    if equal == TermId::FALSE {
                        return TermId::FALSE;
                    }
                    conjuncts.push(equal);
                }
            }
        }
        self.and(&conjuncts)
    }
}
