//! What a program text has where: calls, declared variables, labels, and which functions are defined. Insertions are made at
//! these places.

use crate::c::syntax::{
    Declaration, Declarator, Derivation, Designator, Expression, ExpressionKind, FunctionDefinition, Initializer, Item,
    Span, Statement, StatementKind, Storage, TranslationUnit, TypeSpecifier,
};
use hashbrown::{HashMap, HashSet};

/// A call in the text.
pub(super) struct Call<'a> {
    /// The function, if it is called by its name.
    pub name: Option<&'a str>,
    pub arguments: Vec<Span>,
    /// Whether evaluating an argument changes something.
    pub has_effects: bool,
}

/// A declared variable, by the place of its name.
pub(super) struct Variable<'a> {
    pub name: &'a str,
    pub declarator: Span,
    /// The whole declaration, with its semicolon; `None` where nothing can follow it: in the head of a `for`, for parameters.
    pub declaration: Option<Span>,
    pub is_extern: bool,
    pub is_global: bool,
    /// How many arrays it is, one in another.
    pub dimensions: usize,
    /// Whether it has a value from its declaration on.
    pub is_initialized: bool,
}

/// Everything that insertions need.
#[derive(Default)]
pub(super) struct Occurrences<'a> {
    pub calls: HashMap<Span, Call<'a>>,
    pub variables: HashMap<Span, Variable<'a>>,
    /// The statement behind each label, by the place of the label's name.
    pub labelled: HashMap<Span, Span>,
    pub defined: HashSet<&'a str>,
    /// The body and the parameters of each function defined.
    pub bodies: HashMap<&'a str, (Span, Vec<&'a str>)>,
    /// Functions called by name, in the order of the text.
    pub called: Vec<&'a str>,
    /// Names of functions that are declared but perhaps not defined.
    pub declared: HashSet<&'a str>,
    /// How many arrays, one in another, each name for a type stands for, if it does.
    array_types: HashMap<&'a str, usize>,
    /// Whether a declaration outside of all functions is being looked at.
    is_outermost: bool,
}

enum Node<'a> {
    Statement(&'a Statement<'a>),
    Expression(&'a Expression<'a>),
    Initializer(&'a Initializer<'a>),
}

/// Walks through a text. On an explicit stack, since statements and expressions may be nested deeply.
pub(super) fn occurrences<'a>(unit: &TranslationUnit<'a>) -> Occurrences<'a> {
    let mut found = Occurrences::default();
    let mut stack = Vec::new();
    for item in unit.items.iter().rev() {
        match item {
            Item::Function(definition) => found.function(definition, &mut stack),
            Item::Declaration(declaration) => {
                found.is_outermost = true;
                found.declaration(declaration, true, &mut stack);
                found.is_outermost = false;
            }
            Item::Assembly(..) => {}
            Item::Statement(statement) => stack.push(Node::Statement(statement)),
        }
    }
    while let Some(node) = stack.pop() {
        match node {
            Node::Statement(statement) => found.statement(statement, &mut stack),
            Node::Expression(expression) => found.expression(expression, &mut stack),
            Node::Initializer(Initializer::Expression(expression)) => stack.push(Node::Expression(expression)),
            Node::Initializer(Initializer::List(items, _)) => {
                stack.extend(items.iter().rev().map(|item| Node::Initializer(item.value)));
            }
        }
    }
    found
}

impl<'a> Occurrences<'a> {
    fn function(&mut self, definition: &'a FunctionDefinition<'a>, stack: &mut Vec<Node<'a>>) {
        if let Some(name) = definition.declarator.name {
            self.defined.insert(name.text);
            let mut parameters = Vec::new();
            if let Some(Derivation::Function(declared)) = definition.declarator.derivations.first() {
                let names = declared
                    .declared
                    .iter()
                    .filter_map(|parameter| parameter.declarator.name);
                parameters.extend(names.chain(declared.identifiers.iter().copied()).map(|name| name.text));
            }
            self.bodies.insert(name.text, (definition.body.span, parameters));
        }
        stack.push(Node::Statement(definition.body));
    }

    fn declaration(&mut self, declaration: &'a Declaration<'a>, may_follow: bool, stack: &mut Vec<Node<'a>>) {
        if declaration.specifiers.storage == Some(Storage::Typedef) {
            for declared in declaration.declarators {
                if let Some(name) = declared.declarator.name {
                    let dimensions = self.dimensions(declared.declarator, declaration);
                    self.array_types.insert(name.text, dimensions);
                }
            }
            return;
        }
        for declared in declaration.declarators {
            self.variable(
                declared.declarator,
                declared.initializer.is_some(),
                declaration,
                may_follow,
            );
            stack.extend(declared.initializer.map(Node::Initializer));
        }
    }

    fn variable(
        &mut self,
        declarator: &'a Declarator<'a>,
        is_initialized: bool,
        declaration: &Declaration<'a>,
        may_follow: bool,
    ) {
        let Some(name) = declarator.name else {
            return;
        };
        if matches!(declarator.derivations.first(), Some(Derivation::Function(_))) {
            self.declared.insert(name.text);
            return;
        }
        let dimensions = self.dimensions(declarator, declaration);
        self.variables.insert(
            name.span,
            Variable {
                name: name.text,
                declarator: declarator.span,
                declaration: may_follow.then_some(declaration.span),
                is_global: self.is_outermost,
                is_extern: declaration.specifiers.storage == Some(Storage::Extern),
                dimensions,
                is_initialized,
            },
        );
    }

    /// How many arrays, one in another, something declared is.
    fn dimensions(&self, declarator: &Declarator<'a>, declaration: &Declaration<'a>) -> usize {
        let is_array = |derivation: &&Derivation<'_>| matches!(derivation, Derivation::Array(_));
        let own = declarator.derivations.iter().take_while(is_array).count();
        let of_type = match &declaration.specifiers.kind {
            Some(TypeSpecifier::Named(name)) if own == declarator.derivations.len() => self.array_types.get(name.text),
            _ => None,
        };
        own + of_type.copied().unwrap_or(0)
    }

    fn statement(&mut self, statement: &'a Statement<'a>, stack: &mut Vec<Node<'a>>) {
        let first = stack.len();
        let expression = |stack: &mut Vec<Node<'a>>, expression: &'a Expression<'a>| {
            stack.push(Node::Expression(expression));
        };
        match &statement.kind {
            StatementKind::Empty
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None) => {}
            StatementKind::Assembly(assembly) => {
                let operands = assembly.outputs.iter().chain(assembly.inputs).rev();
                stack.extend(operands.map(|operand| Node::Expression(operand.expression)));
            }
            StatementKind::Expression(value)
            | StatementKind::ComputedGoto(value)
            | StatementKind::Return(Some(value)) => expression(stack, value),
            StatementKind::Declaration(declaration) => self.declaration(declaration, true, stack),
            StatementKind::NestedFunction(definition) => self.function(definition, stack),
            StatementKind::Block(statements) => stack.extend(statements.iter().map(|s| Node::Statement(s))),
            StatementKind::If {
                condition,
                consequence,
                alternative,
            } => {
                expression(stack, condition);
                stack.push(Node::Statement(consequence));
                stack.extend(alternative.map(Node::Statement));
            }
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition }
            | StatementKind::Switch { value: condition, body } => {
                expression(stack, condition);
                stack.push(Node::Statement(body));
            }
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => {
                match initial.kind {
                    StatementKind::Declaration(declaration) => self.declaration(declaration, false, stack),
                    _ => stack.push(Node::Statement(initial)),
                }
                for part in [condition, step].into_iter().flatten() {
                    expression(stack, part);
                }
                stack.push(Node::Statement(body));
            }
            StatementKind::Case { body, .. } | StatementKind::Default(body) => stack.push(Node::Statement(body)),
            StatementKind::Label(name, body) => {
                self.labelled.insert(name.span, body.span);
                stack.push(Node::Statement(body));
            }
        }
        stack[first..].reverse();
    }

    fn expression(&mut self, expression: &'a Expression<'a>, stack: &mut Vec<Node<'a>>) {
        if let ExpressionKind::Call(callee, arguments) = &expression.kind {
            let name = match callee.kind {
                ExpressionKind::Name(name) => Some(name),
                _ => None,
            };
            self.called.extend(name);
            let call = Call {
                name,
                arguments: arguments.iter().map(|argument| argument.span).collect(),
                has_effects: arguments.iter().any(|argument| has_effects(argument)),
            };
            self.calls.insert(expression.span, call);
        }
        let first = stack.len();
        stack.extend(parts(expression));
        stack[first..].reverse();
    }
}

/// The parts of an expression that are evaluated.
fn parts<'a>(expression: &'a Expression<'a>) -> Vec<Node<'a>> {
    use ExpressionKind as Kind;
    match &expression.kind {
        Kind::Name(_)
        | Kind::Integer(_)
        | Kind::Floating(_)
        | Kind::Character(_)
        | Kind::String { .. }
        | Kind::SizeofExpression(_)
        | Kind::SizeofType(_)
        | Kind::AlignofType(..)
        | Kind::TypesCompatible(..)
        | Kind::LabelAddress(_)
        | Kind::Unknown => Vec::new(),
        Kind::Unary(_, operand)
        | Kind::Cast(_, operand)
        | Kind::ConvertVector(operand, _)
        | Kind::Member(operand, _)
        | Kind::PointerMember(operand, _)
        | Kind::VaArg(operand, _) => vec![Node::Expression(operand)],
        Kind::Binary(_, left, right)
        | Kind::And(left, right)
        | Kind::Or(left, right)
        | Kind::Assign(_, left, right)
        | Kind::Comma(left, right)
        | Kind::Index(left, right) => vec![Node::Expression(left), Node::Expression(right)],
        Kind::Conditional(condition, consequence, alternative) => {
            let mut parts = vec![Node::Expression(condition)];
            parts.extend(consequence.map(Node::Expression));
            parts.push(Node::Expression(alternative));
            parts
        }
        Kind::CompoundLiteral(_, initializer) => vec![Node::Initializer(initializer)],
        Kind::Call(callee, arguments) => {
            let mut parts = vec![Node::Expression(callee)];
            parts.extend(arguments.iter().map(|argument| Node::Expression(argument)));
            parts
        }
        Kind::Offsetof(_, designators) => {
            let index = |designator: &Designator<'a>| match designator {
                Designator::Index(index) => Some(Node::Expression(index)),
                _ => None,
            };
            designators.iter().filter_map(index).collect()
        }
        Kind::StatementExpression(block) => vec![Node::Statement(block)],
        // One of them is evaluated.
        Kind::Generic(_, choices) => choices.iter().map(|choice| Node::Expression(choice.value)).collect(),
    }
}

fn has_effects(expression: &Expression<'_>) -> bool {
    let mut stack = vec![expression];
    while let Some(expression) = stack.pop() {
        use crate::c::syntax::UnaryOperator as Unary;
        match &expression.kind {
            ExpressionKind::Call(..) | ExpressionKind::Assign(..) | ExpressionKind::StatementExpression(_) => {
                return true;
            }
            ExpressionKind::Unary(
                Unary::PreIncrement | Unary::PreDecrement | Unary::PostIncrement | Unary::PostDecrement,
                _,
            ) => return true,
            _ => {}
        }
        for part in parts(expression) {
            match part {
                Node::Expression(part) => stack.push(part),
                Node::Initializer(_) | Node::Statement(_) => return true,
            }
        }
    }
    false
}
