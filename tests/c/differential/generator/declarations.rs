//! Declarations: types, variables and functions.

use super::types::{Enumeration, Field, INT, Integer, Record, Type};
use super::{Frame, Function, Generator, Variable};

impl Generator {
    pub fn enumeration(&mut self) {
        let negative = self.random.percent(30);
        let first = if negative {
            -self.random.between(1, 5)
        } else {
            self.random.between(0, 2)
        };
        let name = self.name("E");
        let values: Vec<String> = (0..self.random.between(2, 5)).map(|_| self.name("VALUE")).collect();
        let mut items = Vec::new();
        for (position, value) in values.iter().enumerate() {
            items.push(match position {
                0 if first != 0 => format!("{value} = {first}"),
                _ if position > 0 && self.random.percent(15) => format!("{value} = {} + 3", values[position - 1]),
                _ => value.clone(),
            });
        }
        self.line(&format!("enum {name} {{ {} }};", items.join(", ")));
        self.enumerations.push(Enumeration { name, values, negative });
    }

    pub fn record(&mut self) {
        let is_union = self.random.percent(15);
        let tag = self.name(if is_union { "U" } else { "S" });
        let fields = if is_union {
            self.union_fields()
        } else {
            self.struct_fields()
        };
        let keyword = if is_union { "union" } else { "struct" };
        let is_typedef = self.random.percent(30);
        let head = match is_typedef {
            true => format!("typedef {keyword}"),
            false => format!("{keyword} {tag}"),
        };
        let tail = if is_typedef {
            format!(" {tag};")
        } else {
            ";".to_string()
        };
        let written: Vec<String> = fields
            .iter()
            .map(|field| {
                let declared = self.declared(&field.kind, &field.name);
                match field.width {
                    Some(width) => format!("{declared} : {width};"),
                    None => format!("{declared};"),
                }
            })
            .collect();
        self.line(&format!("{head} {{"));
        self.indentation += 1;
        for field in written {
            self.line(&field);
        }
        self.indentation -= 1;
        self.line(&format!("}}{tail}"));
        self.records.push(Record {
            name: if is_typedef { tag } else { format!("{keyword} {tag}") },
            fields,
            is_union,
        });
    }

    fn union_fields(&mut self) -> Vec<Field> {
        let pairs: [[&'static str; 2]; 4] = [
            ["int", "unsigned int"],
            ["long", "unsigned long"],
            ["unsigned char", "signed char"],
            ["short", "unsigned short"],
        ];
        let pair = self.choose(&pairs).unwrap_or(pairs[0]);
        pair.into_iter()
            .enumerate()
            .map(|(position, name)| Field {
                name: ["plain", "other"][position].to_string(),
                kind: Type::Integer(integer_named(name)),
                width: None,
            })
            .collect()
    }

    fn struct_fields(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let name = self.name("m");
            let (kind, width) = match self.random.between(1, 20) {
                1..=3 => {
                    let kind = self
                        .choose(&["int", "unsigned int", "unsigned char", "short", "_Bool"])
                        .unwrap_or("int");
                    let kind = integer_named(kind);
                    let width = self.random.between(1, i64::from(kind.bits.min(17))) as u32;
                    (Type::Integer(kind), Some(width))
                }
                4 | 5 if !self.records.is_empty() => {
                    let record = self.random.between(0, self.records.len() as i64 - 1) as usize;
                    (Type::Record(record), None)
                }
                6 | 7 => {
                    let kind = Type::Integer(self.integer());
                    (Type::Array(Box::new(kind), self.random.between(2, 4) as usize), None)
                }
                // The globals always have an `int` to point to.
                8 => (Type::pointer(Type::Integer(INT)), None),
                9 if !self.enumerations.is_empty() => (Type::Enumeration(0), None),
                _ => (Type::Integer(self.integer()), None),
            };
            fields.push(Field { name, kind, width });
        }
        fields
    }

    /// A type with a name, as in a declaration.
    pub fn declared(&self, kind: &Type, name: &str) -> String {
        match kind {
            Type::Integer(integer) => format!("{} {name}", integer.name),
            Type::Enumeration(index) => format!("enum {} {name}", self.enumerations[*index].name),
            Type::Record(index) => format!("{} {name}", self.records[*index].name),
            Type::Array(element, length) => self.declared(element, &format!("{name}[{length}]")),
            Type::Pointer { target, constant, .. } => {
                let starred = match **target {
                    Type::Array(..) => format!("(*{name})"),
                    _ => format!("*{name}"),
                };
                let declared = self.declared(target, &starred);
                if *constant {
                    format!("const {declared}")
                } else {
                    declared
                }
            }
        }
    }

    /// A type for a variable.
    fn any_type(&mut self) -> Type {
        match self.random.between(1, 20) {
            1..=3 if !self.records.is_empty() => {
                Type::Record(self.random.between(0, self.records.len() as i64 - 1) as usize)
            }
            4..=6 => {
                let element = match self.random.between(1, 4) {
                    1 if !self.records.is_empty() => Type::Record(self.records.len() - 1),
                    2 => Type::Array(
                        Box::new(Type::Integer(self.integer())),
                        self.random.between(2, 3) as usize,
                    ),
                    _ => Type::Integer(self.integer()),
                };
                Type::Array(Box::new(element), self.random.between(2, 5) as usize)
            }
            7 if !self.enumerations.is_empty() => Type::Enumeration(self.enumerations.len() - 1),
            8..=10 => {
                let targets: Vec<Type> = self.variables.iter().map(|variable| variable.kind.clone()).collect();
                match self.choose(&targets) {
                    Some(Type::Array(element, length)) => Type::Pointer {
                        target: element,
                        elements: self.random.between(1, length as i64) as usize,
                        constant: false,
                    },
                    Some(target) => Type::pointer(target),
                    None => Type::Integer(INT),
                }
            }
            _ => Type::Integer(self.integer()),
        }
    }

    /// A value to start with, in braces where it has parts. Without a life it is for a variable that lives all the time,
    /// and constant.
    pub fn initializer(&mut self, kind: &Type, life: Option<usize>) -> String {
        match kind {
            Type::Integer(_) | Type::Enumeration(_) => match life {
                None => self.literal().text,
                Some(_) if self.random.percent(40) => self.literal().text,
                Some(_) => self.expression(1).operand(2),
            },
            Type::Pointer { target, elements, .. } => {
                let found = self.addresses(target, *elements, life.unwrap_or(0));
                self.choose(&found).unwrap_or_else(|| "0".to_string())
            }
            Type::Array(element, length) => {
                let wanted = if self.has_pointers(element) || self.random.percent(60) {
                    *length
                } else {
                    self.random.between(1, *length as i64) as usize
                };
                let items: Vec<String> = (0..wanted).map(|_| self.initializer(element, life)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Type::Record(index) => {
                let fields = self.records[*index].fields.clone();
                let designated = self.random.percent(30);
                let mut items = Vec::new();
                for field in &fields {
                    if self.records[*index].is_union && !items.is_empty() {
                        break;
                    }
                    let needed = self.has_pointers(&field.kind);
                    let inner = if matches!(field.kind, Type::Pointer { .. }) {
                        life.map(|_| 0)
                    } else {
                        life
                    };
                    if designated && (needed || self.random.percent(70)) {
                        items.push(format!(".{} = {}", field.name, self.initializer(&field.kind, inner)));
                    } else if !designated {
                        items.push(self.initializer(&field.kind, inner));
                    }
                }
                match items.is_empty() {
                    true => "{0}".to_string(),
                    false => format!("{{{}}}", items.join(", ")),
                }
            }
        }
    }

    pub fn has_pointers(&self, kind: &Type) -> bool {
        match kind {
            Type::Pointer { .. } => true,
            Type::Array(element, _) => self.has_pointers(element),
            Type::Record(index) => self.records[*index]
                .fields
                .iter()
                .any(|field| self.has_pointers(&field.kind)),
            _ => false,
        }
    }

    /// Whether a pointer to the type can be given an address that lives long enough.
    fn can_start(&mut self, kind: &Type, life: usize) -> bool {
        match kind {
            Type::Pointer { target, elements, .. } => !self.addresses(target, *elements, life).is_empty(),
            _ => true,
        }
    }

    pub fn global(&mut self) {
        // The first one is what pointers in records point to.
        let first = self.variables.is_empty();
        let kind = if first { Type::Integer(INT) } else { self.any_type() };
        if !self.can_start(&kind, 0) || matches!(kind, Type::Pointer { .. }) && self.random.percent(50) {
            return;
        }
        let name = self.name("g");
        let storage = if self.random.percent(25) { "static " } else { "" };
        let declared = self.declared(&kind, &name);
        if !self.has_pointers(&kind) && self.random.percent(25) {
            self.line(&format!("{storage}{declared};"));
        } else {
            let value = self.initializer(&kind, None);
            self.line(&format!("{storage}{declared} = {value};"));
        }
        self.declare(name, kind, 0);
    }

    /// Puts a variable in scope.
    pub fn declare(&mut self, name: String, kind: Type, life: usize) {
        self.variables.push(Variable {
            name,
            kind,
            life,
            writable: true,
            addressable: true,
            bound: None,
        });
    }

    /// A declaration in a block.
    pub fn local(&mut self) {
        let kind = self.any_type();
        let is_static = !self.frame.pure && self.random.percent(8) && !self.has_pointers(&kind);
        let life = if is_static { 0 } else { self.depth };
        if !self.can_start(&kind, life) {
            return;
        }
        let name = self.name("x");
        let declared = self.declared(&kind, &name);
        let is_scalar = self.integer_of(&kind).is_some();
        let value = match (&kind, is_static) {
            (Type::Record(record), false) if self.random.percent(40) => match self.record_value(*record) {
                Some(value) => value,
                None => self.initializer(&kind, Some(life)),
            },
            (Type::Pointer { target, elements, .. }, _) => match self.address(target, *elements, life) {
                Some(address) => address,
                None => return,
            },
            (_, true) => self.initializer(&kind, None),
            (_, false) => self.initializer(&kind, Some(life)),
        };
        if is_static {
            self.line(&format!("static {declared} = {value};"));
        } else if is_scalar && self.random.percent(15) {
            self.line(&format!("{declared};"));
            self.line(&format!("{name} = {value};"));
        } else {
            self.line(&format!("{declared} = {value};"));
        }
        self.declare(name, kind, life);
    }

    pub fn function(&mut self) {
        let pure = self.random.percent(45);
        let name = self.name(if pure { "pure" } else { "f" });
        let mut parameters = Vec::new();
        for _ in 0..self.random.between(0, 3) {
            let kind = match self.random.between(1, 10) {
                1 | 2 => self.any_type(),
                _ => Type::Integer(self.integer()),
            };
            if !matches!(kind, Type::Array(..)) {
                parameters.push(kind);
            }
        }
        let result = match self.random.between(1, 10) {
            1 if !self.records.is_empty() => Some(Type::Record(0)),
            2 | 3 if !pure => None,
            _ => Some(Type::Integer(self.integer())),
        };
        // What a call puts on the stack are numbers.
        let recurs = parameters.iter().all(|kind| matches!(kind, Type::Integer(_))) && self.random.percent(25);
        if recurs {
            parameters.insert(0, Type::Integer(INT));
        }
        self.frame = Frame {
            pure,
            result: result.clone(),
            trips: 1,
            statements: self.random.between(2, 7) as usize,
            calls: 2,
            ..Frame::default()
        };
        let names: Vec<String> = parameters.iter().map(|_| self.name("a")).collect();
        let written: Vec<String> = parameters
            .iter()
            .zip(&names)
            .map(|(kind, name)| self.declared(kind, name))
            .collect();
        let written = if written.is_empty() {
            "void".to_string()
        } else {
            written.join(", ")
        };
        let declared = match &result {
            Some(kind) => self.declared(kind, &format!("{name}({written})")),
            None => format!("void {name}({written})"),
        };
        let visible = self.variables.len();
        // Nobody changes how often it calls itself.
        for (kind, name) in parameters.iter().zip(&names).skip(usize::from(recurs)) {
            self.declare(name.clone(), kind.clone(), 1);
        }
        self.braces(&declared, "", |inside| {
            if recurs {
                inside.again(&name, &names, result.as_ref());
            }
            inside.statements();
            inside.return_value();
        });
        self.variables.truncate(visible);
        let cost = (self.frame.cost + 3) * if recurs { 4 } else { 1 };
        self.functions.push(Function {
            name,
            parameters,
            result,
            pure,
            cost,
        });
    }

    /// A call of the function itself, at most three inside each other.
    fn again(&mut self, function: &str, parameters: &[String], result: Option<&Type>) {
        let [left, rest @ ..] = parameters else { return };
        let mut arguments = vec![format!("({left} & 3) - 1")];
        arguments.extend_from_slice(rest);
        let call = format!("{function}({})", arguments.join(", "));
        match result {
            Some(Type::Integer(kind)) => {
                let name = self.name("again");
                self.line(&format!("{} {name} = ({left} & 3) > 0 ? {call} : 0;", kind.name));
                self.declare(name, Type::Integer(*kind), self.depth);
            }
            _ => self.line(&format!("if (({left} & 3) > 0) {call};")),
        }
    }

    /// The end of a function.
    pub fn return_value(&mut self) {
        match self.frame.result.clone() {
            None => {}
            Some(Type::Record(record)) => {
                let value = match self.record_value(record) {
                    Some(value) => value,
                    None => {
                        let name = self.records[record].name.clone();
                        let text = self.initializer(&Type::Record(record), Some(0));
                        format!("({name}) {text}")
                    }
                };
                self.line(&format!("return {value};"));
            }
            Some(_) => {
                let value = self.expression(2);
                self.line(&format!("return {};", value.text));
            }
        }
    }

    pub fn main(&mut self) {
        self.frame = Frame {
            is_main: true,
            result: Some(Type::Integer(INT)),
            trips: 1,
            statements: self.random.between(8, 24) as usize,
            calls: 6,
            ..Frame::default()
        };
        self.braces("int main(void)", "", |inside| {
            inside.input();
            inside.input();
            inside.statements();
            inside.print_all();
            inside.line("return 0;");
        });
    }
}

fn integer_named(name: &str) -> Integer {
    super::types::INTEGERS
        .iter()
        .find(|kind| kind.name == name)
        .copied()
        .unwrap_or(INT)
}
