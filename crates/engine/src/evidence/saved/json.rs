//! A place in a JSON document: a value and how to get there, so that errors can say where something else was expected.

use super::SavedError;
use super::formula::clip;
use serde_json::Value as Json;

/// How a place is reached from the one around it.
#[derive(Clone, Copy)]
enum Key<'a> {
    Root,
    Field(&'a str),
    Item(usize),
}

/// A value in a document.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    value: &'a Json,
    key: Key<'a>,
    around: Option<&'a Place<'a>>,
}

impl<'a> Place<'a> {
    /// The whole document.
    pub fn root(value: &'a Json) -> Place<'a> {
        Place {
            value,
            key: Key::Root,
            around: None,
        }
    }

    /// An error at this place.
    pub fn error(&self, message: impl Into<String>) -> SavedError {
        let mut keys = Vec::new();
        let mut current = Some(self);
        while let Some(place) = current {
            keys.push(place.key);
            current = place.around;
        }
        let mut path = String::new();
        for key in keys.into_iter().rev() {
            match key {
                Key::Root => {}
                Key::Field(name) if path.is_empty() => path.push_str(name),
                Key::Field(name) => path.push_str(&format!(".{name}")),
                Key::Item(index) => path.push_str(&format!("[{index}]")),
            }
        }
        SavedError {
            path,
            message: message.into(),
        }
    }

    fn expected(&self, what: &str) -> SavedError {
        let found = match self.value {
            Json::Null => "null".to_string(),
            Json::Bool(value) => value.to_string(),
            Json::Number(number) => clip(&number.to_string()),
            Json::String(text) => format!("\"{}\"", clip(text)),
            Json::Array(_) => "a list".to_string(),
            Json::Object(_) => "an object".to_string(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// A field of an object.
    pub fn field(&'a self, name: &'a str) -> Result<Place<'a>, SavedError> {
        self.optional_field(name)?
            .ok_or_else(|| self.error(format!("the field `{name}` is missing")))
    }

    /// A field of an object that need not be there.
    pub fn optional_field(&'a self, name: &'a str) -> Result<Option<Place<'a>>, SavedError> {
        let fields = self.value.as_object().ok_or_else(|| self.expected("an object"))?;
        Ok(fields.get(name).map(|value| Place {
            value,
            key: Key::Field(name),
            around: Some(self),
        }))
    }

    /// The items of a list.
    pub fn items(&'a self) -> Result<impl ExactSizeIterator<Item = Place<'a>>, SavedError> {
        let items = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        Ok(items.iter().enumerate().map(|(index, value)| Place {
            value,
            key: Key::Item(index),
            around: Some(self),
        }))
    }

    /// The two items of a pair.
    pub fn pair(&'a self) -> Result<(Place<'a>, Place<'a>), SavedError> {
        let mut items = self.items()?;
        match (items.next(), items.next(), items.next()) {
            (Some(first), Some(second), None) => Ok((first, second)),
            _ => Err(self.error("expected a list of two items")),
        }
    }

    /// A text.
    pub fn text(&self) -> Result<&'a str, SavedError> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    /// A truth value.
    pub fn truth(&self) -> Result<bool, SavedError> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// A whole number that is not negative.
    pub fn count(&self) -> Result<usize, SavedError> {
        let number = self.value.as_u64().and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| self.expected("a whole number that is not negative"))
    }
}
