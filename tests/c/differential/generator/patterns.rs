//! What programs do with memory, in the ways that people write it: swaps, walks, lists, tables of functions.

use super::expressions::Expression;
use super::types::{CHAR, INT, Integer, Type};
use super::{Generator, Variable};

impl Generator {
    /// Some lines that belong together.
    pub fn pattern(&mut self) {
        if self.frame.plain || self.frame.trips > 12 {
            return self.assignment();
        }
        self.frame.cost += 12 * self.frame.trips;
        match self.random.between(1, 9) {
            1 => self.swap(),
            2 => self.walk_array(),
            3 | 4 => self.text_walk(),
            5 if !self.frame.pure => self.allocated_array(),
            6 if !self.frame.pure => self.allocated_record(),
            7 if !self.frame.pure => self.list(),
            8 => self.function_pointer(),
            9 => self.library_copy(),
            _ => self.swap(),
        }
    }

    /// A pointer gets another address, directly or through a pointer to it.
    pub fn move_pointer(&mut self) {
        let pure = self.frame.pure;
        let mut choices: Vec<(String, Type, usize, usize)> = Vec::new();
        for variable in &self.variables {
            let Type::Pointer {
                target,
                elements,
                constant: false,
            } = &variable.kind
            else {
                continue;
            };
            if variable.writable && !(pure && variable.life == 0) {
                choices.push((variable.name.clone(), (**target).clone(), *elements, variable.life));
            }
            if let (
                Type::Pointer {
                    target,
                    elements,
                    constant: false,
                },
                false,
            ) = (&**target, pure)
            {
                // What it points to may live longer than it does.
                choices.push((format!("*{}", variable.name), (**target).clone(), *elements, 0));
            }
        }
        if !pure {
            for place in self.addresses(&Type::pointer(Type::Integer(INT)), 1, usize::MAX) {
                if let Some(name) = place.strip_prefix('&') {
                    choices.push((name.to_string(), Type::Integer(INT), 1, 0));
                }
            }
        }
        match self.choose(&choices) {
            Some((name, target, elements, life)) => match self.address(&target, elements, life) {
                Some(address) => self.line(&format!("{name} = {address};")),
                None => self.assignment(),
            },
            None => self.assignment(),
        }
    }

    /// A struct is assigned as a whole.
    pub fn copy_record(&mut self) {
        if self.records.is_empty() || self.frame.pure {
            return self.assignment();
        }
        let record = self.random.between(0, self.records.len() as i64 - 1) as usize;
        let places = self.addresses(&Type::Record(record), 1, usize::MAX);
        match (self.choose(&places), self.record_value(record)) {
            (Some(place), Some(value)) => match place.strip_prefix('&') {
                Some(name) => self.line(&format!("{name} = {value};")),
                None => self.line(&format!("*({place}) = {value};")),
            },
            _ => self.assignment(),
        }
    }

    /// The addresses of two integers of one type that may be written.
    fn two_addresses(&mut self, kind: Integer) -> Option<(String, String)> {
        let life = self.depth;
        let found: Vec<String> = match self.frame.pure {
            false => self.addresses(&Type::Integer(kind), 1, life),
            true => self
                .variables
                .iter()
                .filter(|variable| variable.life > 0 && variable.addressable && variable.kind == Type::Integer(kind))
                .map(|variable| format!("&{}", variable.name))
                .collect(),
        };
        Some((self.choose(&found)?, self.choose(&found)?))
    }

    fn swap(&mut self) {
        let kind = self.integer();
        let Some((left, right)) = self.two_addresses(kind) else {
            return self.assignment();
        };
        let (one, other) = (self.name("p"), self.name("p"));
        self.braces("", "", |inside| {
            inside.line(&format!("{} *{one} = {left}, *{other} = {right};", kind.name));
            inside.line(&format!("{} saved = *{one};", kind.name));
            inside.line(&format!("*{one} = *{other};"));
            inside.line(&format!("*{other} = saved;"));
        });
    }

    /// A sum over an array by a moving pointer.
    fn walk_array(&mut self) {
        let arrays: Vec<(String, Integer, usize)> = self
            .variables
            .iter()
            .filter_map(|variable| match &variable.kind {
                Type::Array(element, length) => match **element {
                    Type::Integer(kind) => Some((variable.name.clone(), kind, *length)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let Some((array, kind, length)) = self.choose(&arrays) else {
            return self.swap();
        };
        let (pointer, sum) = (self.name("p"), self.name("sum"));
        self.line(&format!("unsigned int {sum} = 0;"));
        self.declare(sum.clone(), Type::Integer(super::types::UNSIGNED), self.depth);
        let name = kind.name;
        match self.random.between(1, 3) {
            1 => {
                let head = format!("for ({name} *{pointer} = {array}; {pointer} < {array} + {length}; {pointer}++)");
                self.braces(&head, "", |inside| inside.line(&format!("{sum} += *{pointer};")));
            }
            2 => {
                self.line(&format!("{name} *{pointer} = {array};"));
                let head = format!("while ({pointer} - {array} < {length})");
                self.braces(&head, "", |inside| {
                    inside.line(&format!("{sum} = {sum} * 3 + *{pointer}++;"))
                });
            }
            _ => {
                self.line(&format!("{name} *{pointer} = &{array}[{}];", length - 1));
                let head = format!("for (; {pointer} != {array}; --{pointer})");
                self.braces(&head, "", |inside| inside.line(&format!("{sum} ^= {pointer}[0];")));
            }
        }
    }

    /// A string, and a loop to its end.
    fn text_walk(&mut self) {
        let text = self.random.pick(&["", "a", "hello", "x\\ty", "ab\\0cd", "\\101\\x42"]);
        let (name, count) = (self.name("s"), self.name("count"));
        self.line(&format!("int {count} = 0;"));
        let plain = text.len()
            - 3 * text.matches("\\10").count()
            - 3 * text.matches("\\x").count()
            - text.matches("\\t").count()
            - text.matches("\\0").count();
        let length = plain + 1;
        if self.random.percent(50) {
            let extra = self.random.between(0, 3);
            self.line(&format!("char {name}[{}] = \"{text}\";", length as i64 + extra));
            self.declare(
                name.clone(),
                Type::Array(Box::new(Type::Integer(CHAR)), length),
                self.depth,
            );
        } else {
            self.line(&format!("const char *{name} = \"{text}\";"));
            self.variables.push(Variable {
                name: name.clone(),
                kind: Type::Pointer {
                    target: Box::new(Type::Integer(CHAR)),
                    elements: length,
                    constant: true,
                },
                life: self.depth,
                writable: false,
                addressable: false,
                bound: None,
            });
        }
        match self.random.between(1, 2) {
            1 => {
                let head = format!("for (int i = 0; {name}[i] != '\\0' && i < {}; i++)", length - 1);
                self.braces(&head, "", |inside| inside.line(&format!("{count} += {name}[i] % 16;")));
            }
            _ => {
                let head = format!("while ({count} < {} && {name}[{count}])", length - 1);
                self.braces(&head, "", |inside| inside.line(&format!("{count}++;")));
            }
        }
        self.declare(count, Type::Integer(INT), self.depth);
    }

    fn allocated_array(&mut self) {
        let kind = self.integer();
        let (name, length) = (self.name("h"), self.random.between(2, 5));
        let allocation = match self.random.between(1, 3) {
            1 => format!("calloc({length}, sizeof({}))", kind.name),
            2 => format!("({} *) malloc({length} * sizeof({}))", kind.name, kind.name),
            _ => format!("malloc(sizeof({}) * {length})", kind.name),
        };
        self.line(&format!("{} *{name} = {allocation};", kind.name));
        if !allocation.starts_with("calloc") {
            let value = self.literal().text;
            let head = format!("for (int i = 0; i < {length}; i++)");
            self.braces(&head, "", |inside| {
                inside.line(&format!("{name}[i] = i + ({value}) % 100;"))
            });
        }
        self.declare(
            name,
            Type::Pointer {
                target: Box::new(Type::Integer(kind)),
                elements: length as usize,
                constant: false,
            },
            self.depth,
        );
    }

    fn allocated_record(&mut self) {
        let records: Vec<usize> = (0..self.records.len()).collect();
        let Some(record) = self.choose(&records) else {
            return self.allocated_array();
        };
        let Some(value) = self.record_value(record) else {
            return self.allocated_array();
        };
        let (name, kind) = (self.name("h"), self.records[record].name.clone());
        let size = match self.random.percent(50) {
            true => format!("sizeof({kind})"),
            false => format!("sizeof(*{name})"),
        };
        self.line(&format!("{kind} *{name} = malloc({size});"));
        self.line(&format!("*{name} = {value};"));
        self.declare(name, Type::pointer(Type::Record(record)), self.depth);
    }

    /// A list is made, walked and freed.
    fn list(&mut self) {
        let (node, head, sum) = (self.name("node"), self.name("head"), self.name("sum"));
        let count = self.random.between(1, 4);
        let value = self.expression(1);
        self.line(&format!(
            "struct {node} {{ struct {node} *next; int value; }} *{head} = 0;"
        ));
        let line = format!("for (int i = 0; i < {count}; i++)");
        self.braces(&line, "", |inside| {
            inside.line(&format!("struct {node} *fresh = malloc(sizeof(struct {node}));"));
            inside.line(&format!(
                "fresh->value = i + {};",
                value.cast("unsigned char").operand(13)
            ));
            inside.line(&format!("fresh->next = {head};"));
            inside.line(&format!("{head} = fresh;"));
        });
        self.line(&format!("int {sum} = 0;"));
        if self.random.percent(50) {
            let line = format!("for (struct {node} *each = {head}; each; each = each->next)");
            self.braces(&line, "", |inside| {
                inside.line(&format!("{sum} = {sum} * 2 + each->value;"))
            });
        } else {
            let line = format!("while ({head} != 0)");
            self.braces(&line, "", |inside| {
                inside.line(&format!("struct {node} *next = {head}->next;"));
                inside.line(&format!("{sum} -= {head}->value;"));
                inside.line(&format!("free({head});"));
                inside.line(&format!("{head} = next;"));
            });
        }
        self.declare(sum, Type::Integer(INT), self.depth);
    }

    /// A call through a pointer to one of two functions of the same type.
    fn function_pointer(&mut self) {
        let functions = self.functions.clone();
        let pure = self.frame.pure;
        let Some(first) = self.choose(&functions) else {
            return self.swap();
        };
        let alike: Vec<_> = functions
            .iter()
            .filter(|other| other.parameters == first.parameters && other.result == first.result)
            .filter(|other| other.pure || !pure)
            .cloned()
            .collect();
        let (Some(one), Some(other)) = (self.choose(&alike), self.choose(&alike)) else {
            return self.swap();
        };
        let Some(Type::Integer(result)) = first.result else {
            return self.swap();
        };
        let name = self.name("call");
        let parameters: Vec<String> = first.parameters.iter().map(|kind| self.declared(kind, "")).collect();
        let parameters = if parameters.is_empty() {
            "void".to_string()
        } else {
            parameters.join(", ")
        };
        let condition = self.condition(1).operand(4);
        let mut called = one.clone();
        called.name = if self.random.percent(40) {
            format!("(*{name})")
        } else {
            name.clone()
        };
        called.cost = one.cost.max(other.cost);
        // Both are inlined.
        self.frame.calls = self.frame.calls.saturating_sub(1);
        let Some(call) = self.call(&called, 1) else {
            return self.swap();
        };
        let value = self.name("x");
        self.line(&format!(
            "{} (*{name})({parameters}) = {condition} ? {} : &{};",
            result.name, one.name, other.name
        ));
        self.line(&format!("{} {value} = {call};", result.name));
        self.declare(value.clone(), Type::Integer(result), self.depth);
        if !pure {
            self.print_value(&Expression::new(value, 16, result));
        }
    }

    /// `memset` and `memcpy` of whole arrays.
    fn library_copy(&mut self) {
        let pure = self.frame.pure;
        let arrays: Vec<(String, Type)> = self
            .variables
            .iter()
            .filter(|variable| variable.writable && !(pure && variable.life == 0))
            .filter(
                |variable| matches!(&variable.kind, Type::Array(element, _) if matches!(**element, Type::Integer(_))),
            )
            .map(|variable| (variable.name.clone(), variable.kind.clone()))
            .collect();
        let (Some((target, kind)), Some((source, other))) = (self.choose(&arrays), self.choose(&arrays)) else {
            return self.swap();
        };
        if kind == other && target != source {
            self.line(&format!("memcpy({target}, {source}, sizeof({target}));"));
        } else {
            self.line(&format!("memset({target}, 0, sizeof({target}));"));
        }
    }
}
