//! Trees as short texts, for tests: prefix notation, one item a line.

use crate::syntax::*;

pub(super) fn unit(unit: &TranslationUnit) -> String {
    let items = unit.items.iter().map(|item| match item {
        Item::Function(definition) => function(definition),
        Item::Declaration(item) => declaration(item),
        Item::Assembly(item, _) => assembly(item),
        Item::Statement(item) => statement(item),
    });
    items.collect::<Vec<_>>().join("\n")
}

fn assembly(item: &Assembly) -> String {
    let text = |characters: &[u32]| -> String { characters.iter().filter_map(|c| char::from_u32(*c)).collect() };
    let operand = |operand: &AssemblyOperand| {
        let name = operand.name.map_or(String::new(), |name| format!("[{}]", name.text));
        format!(
            "{name}{:?} {}",
            text(operand.constraint),
            expression(operand.expression)
        )
    };
    format!(
        "(asm{}{}{:?} (out{}) (in{}) (clobbers{}) (labels{}))",
        if item.is_volatile { " volatile " } else { " " },
        if item.is_goto { "goto " } else { "" },
        item.template.map(text),
        list(item.outputs, operand),
        list(item.inputs, operand),
        list(item.clobbers, |clobber| text(clobber)),
        list(item.labels, |label| label.text.to_string()),
    )
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(|item| format!(" {}", text(item))).collect()
}

fn function(definition: &FunctionDefinition) -> String {
    format!(
        "(function {} {}{} {})",
        specifiers(&definition.specifiers),
        declarator(definition.declarator),
        list(definition.parameter_declarations, |item| declaration(item)),
        statement(definition.body)
    )
}

fn declaration(item: &Declaration) -> String {
    let declarators = list(item.declarators, |item| {
        let mut text = declarator(item.declarator);
        if let Some(width) = item.bit_width {
            text.push_str(&format!(" : {}", expression(width)));
        }
        if let Some(value) = item.initializer {
            text.push_str(&format!(" = {}", initializer(value)));
        }
        text
    });
    format!("({}{declarators})", specifiers(&item.specifiers))
}

fn specifiers(item: &Specifiers) -> String {
    let mut text = String::new();
    if let Some(storage) = item.storage {
        text.push_str(&format!("{storage:?} "));
    }
    if item.is_volatile {
        text.push_str("volatile ");
    }
    text.push_str(&match item.kind {
        None => "implicit".to_string(),
        Some(kind) => type_specifier(&kind),
    });
    text
}

fn type_specifier(kind: &TypeSpecifier) -> String {
    let tag_text = |tag: &Option<Name>| tag.map_or(String::new(), |tag| format!(" {}", tag.text));
    match kind {
        TypeSpecifier::Char { signed } => match signed {
            None => "char".to_string(),
            Some(true) => "schar".to_string(),
            Some(false) => "uchar".to_string(),
        },
        TypeSpecifier::Integer { size, signed } => format!("{}{size:?}", if *signed { "" } else { "U" }),
        TypeSpecifier::Named(name) => name.text.to_string(),
        TypeSpecifier::Complex(part) => format!("complex {}", type_specifier(part)),
        TypeSpecifier::Other(name) => format!("other {}", name.text),
        TypeSpecifier::Record {
            is_union,
            tag,
            members,
            is_packed,
            packing: _,
            attributes: _,
        } => {
            let packed = if *is_packed { "packed " } else { "" };
            let what = if *is_union { "union" } else { "struct" };
            let members = members.map_or(String::new(), |members| {
                format!(" {{{}}}", list(members, |member| declaration(member)))
            });
            format!("{packed}{what}{}{members}", tag_text(tag))
        }
        TypeSpecifier::Enum {
            tag,
            constants,
            is_packed,
            attributes: _,
        } => {
            let packed = if *is_packed { "packed " } else { "" };
            let constants = constants.map_or(String::new(), |constants| {
                let text = list(constants, |(name, value)| match value {
                    Some(value) => format!("{}={}", name.text, expression(value)),
                    None => name.text.to_string(),
                });
                format!(" {{{text}}}")
            });
            format!("{packed}enum{}{constants}", tag_text(tag))
        }
        TypeSpecifier::TypeofExpression(operand) => format!("typeof {}", expression(operand)),
        TypeSpecifier::TypeofType(name) => format!("typeof {}", type_name(name)),
        plain => format!("{plain:?}"),
    }
}

fn declarator(item: &Declarator) -> String {
    let volatile = if item.is_volatile { "volatile " } else { "" };
    let mut text = format!("{volatile}{}", item.name.map_or("_", |name| name.text));
    for derivation in item.derivations {
        match derivation {
            Derivation::Pointer | Derivation::VolatilePointer => text.push('*'),
            Derivation::Array(None) => text.push_str("[]"),
            Derivation::Array(Some(size)) => text.push_str(&format!("[{}]", expression(size))),
            Derivation::Function(parameters) => {
                let declared = list(parameters.declared, |parameter| {
                    format!(
                        "{} {}",
                        specifiers(&parameter.specifiers),
                        declarator(parameter.declarator)
                    )
                });
                let identifiers = list(parameters.identifiers, |name| name.text.to_string());
                let variadic = if parameters.is_variadic { " ..." } else { "" };
                let unspecified = if parameters.is_unspecified { "?" } else { "" };
                let text_inside = format!("{declared}{identifiers}{variadic}{unspecified}");
                text.push_str(&format!("({})", text_inside.trim_start()));
            }
        }
    }
    text
}

fn type_name(name: &TypeName) -> String {
    format!("{} {}", specifiers(&name.specifiers), declarator(name.declarator))
}

fn designator(item: &Designator) -> String {
    match item {
        Designator::Member(name) => format!(".{}", name.text),
        Designator::Index(index) => format!("[{}]", expression(index)),
        Designator::Range(first, last) => format!("[{}...{}]", expression(first), expression(last)),
    }
}

fn initializer(item: &Initializer) -> String {
    match item {
        Initializer::Expression(value) => expression(value),
        Initializer::List(items, _) => {
            let items = list(items, |item| {
                let designators: String = item.designators.iter().map(designator).collect();
                format!("{designators}{}", initializer(item.value))
            });
            format!("{{{}}}", items.trim_start())
        }
    }
}

fn statement(item: &Statement) -> String {
    let optional = |value: &Option<&Expression>| value.map_or("_".to_string(), expression);
    match &item.kind {
        StatementKind::Empty => "()".to_string(),
        StatementKind::Expression(value) => expression(value),
        StatementKind::Declaration(item) => declaration(item),
        StatementKind::NestedFunction(definition) => function(definition),
        StatementKind::Block(items) => format!("{{{}}}", list(items, |item| statement(item)).trim_start()),
        StatementKind::If {
            condition,
            consequence,
            alternative,
        } => {
            let alternative = alternative.map_or(String::new(), |item| format!(" {}", statement(item)));
            format!("(if {} {}{alternative})", expression(condition), statement(consequence))
        }
        StatementKind::While { condition, body } => format!("(while {} {})", expression(condition), statement(body)),
        StatementKind::DoWhile { body, condition } => format!("(do {} {})", statement(body), expression(condition)),
        StatementKind::For {
            initial,
            condition,
            step,
            body,
        } => format!(
            "(for {} {} {} {})",
            statement(initial),
            optional(condition),
            optional(step),
            statement(body)
        ),
        StatementKind::Switch { value, body } => format!("(switch {} {})", expression(value), statement(body)),
        StatementKind::Case { first, last, body } => {
            let last = last.map_or(String::new(), |last| format!("...{}", expression(last)));
            format!("(case {}{last} {})", expression(first), statement(body))
        }
        StatementKind::Default(body) => format!("(default {})", statement(body)),
        StatementKind::Label(name, body) => format!("(label {} {})", name.text, statement(body)),
        StatementKind::Goto(name) => format!("(goto {})", name.text),
        StatementKind::ComputedGoto(target) => format!("(goto* {})", expression(target)),
        StatementKind::Break => "break".to_string(),
        StatementKind::Continue => "continue".to_string(),
        StatementKind::Return(value) => format!("(return {})", optional(value)),
        StatementKind::Assembly(item) => assembly(item),
    }
}

fn expression(item: &Expression) -> String {
    match &item.kind {
        ExpressionKind::Name(text) | ExpressionKind::Integer(text) | ExpressionKind::Floating(text) => text.to_string(),
        ExpressionKind::Character(value) => format!("'{value}"),
        ExpressionKind::String { characters, encoding } => {
            let text: String = characters.iter().filter_map(|code| char::from_u32(*code)).collect();
            let prefix = match encoding {
                Encoding::Bytes => "",
                Encoding::Wide => "L",
                Encoding::Utf16 => "u",
                Encoding::Utf32 => "U",
            };
            format!("{prefix}{text:?}")
        }
        ExpressionKind::Unary(operator, operand) => format!("({operator:?} {})", expression(operand)),
        ExpressionKind::Binary(operator, left, right) => {
            format!("({operator:?} {} {})", expression(left), expression(right))
        }
        ExpressionKind::And(left, right) => format!("(&& {} {})", expression(left), expression(right)),
        ExpressionKind::Or(left, right) => format!("(|| {} {})", expression(left), expression(right)),
        ExpressionKind::Assign(operator, left, right) => {
            let operator = operator.map_or(String::new(), |operator| format!("{operator:?}"));
            format!("({operator}= {} {})", expression(left), expression(right))
        }
        ExpressionKind::Comma(left, right) => format!("(, {} {})", expression(left), expression(right)),
        ExpressionKind::Conditional(condition, consequence, alternative) => {
            let consequence = consequence.map_or("_".to_string(), expression);
            format!(
                "(? {} {consequence} {})",
                expression(condition),
                expression(alternative)
            )
        }
        ExpressionKind::Cast(name, operand) => format!("(cast {} {})", type_name(name), expression(operand)),
        ExpressionKind::CompoundLiteral(name, value) => format!("(literal {} {})", type_name(name), initializer(value)),
        ExpressionKind::Index(array, index) => format!("([] {} {})", expression(array), expression(index)),
        ExpressionKind::Member(operand, name) => format!("(. {} {})", expression(operand), name.text),
        ExpressionKind::PointerMember(operand, name) => format!("(-> {} {})", expression(operand), name.text),
        ExpressionKind::Call(callee, arguments) => {
            format!(
                "(call {}{})",
                expression(callee),
                list(arguments, |argument| expression(argument))
            )
        }
        ExpressionKind::SizeofExpression(operand) => format!("(sizeof {})", expression(operand)),
        ExpressionKind::SizeofType(name) => format!("(sizeof type {})", type_name(name)),
        ExpressionKind::AlignofType(name, asked) => match asked {
            Alignment::Least => format!("(alignof {})", type_name(name)),
            Alignment::Preferred => format!("(preferred-alignof {})", type_name(name)),
        },
        ExpressionKind::Offsetof(name, place) => format!("(offsetof {}{})", type_name(name), list(place, designator)),
        ExpressionKind::Generic(control, choices) => {
            let choice = |choice: &GenericChoice<'_>| {
                let kind = choice.kind.map_or("default".to_string(), type_name);
                format!("({kind} {})", expression(choice.value))
            };
            format!("(generic {}{})", expression(control), list(choices, choice))
        }
        ExpressionKind::TypesCompatible(one, other) => format!("(compatible {} {})", type_name(one), type_name(other)),
        ExpressionKind::ConvertVector(operand, name) => {
            format!("(convert {} {})", expression(operand), type_name(name))
        }
        ExpressionKind::VaArg(operand, name) => format!("(va_arg {} {})", expression(operand), type_name(name)),
        ExpressionKind::StatementExpression(block) => format!("(block {})", statement(block)),
        ExpressionKind::LabelAddress(name) => format!("(&& {})", name.text),
        ExpressionKind::Unknown => "unknown".to_string(),
    }
}
