//! Reads a briefing of a newer version or of another program, which may omit fields or give them another type.

use serde::Deserialize;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde_json::{Error, Value};

use crate::Briefing;

impl Briefing {
    /// Reads the output of a kernel. Only the schema version and the text for the model are required. Any other field
    /// that is missing or has another type is read as zero or as empty. Returns `None` if the output is not a briefing.
    #[must_use]
    pub fn read_tolerantly(json: &Value) -> Option<Self> {
        json["schema_version"].as_str()?;
        json["fused_context"]["for_model"]["additional_context"].as_str()?;
        Self::deserialize(Tolerant(json)).ok()
    }
}

/// A deserializer that replaces a value of an unexpected type with zero or with an empty value, and an unknown variant
/// of an enum with its first variant.
struct Tolerant<'a>(&'a Value);

static MISSING: Value = Value::Null;

impl<'de> IntoDeserializer<'de, Error> for Tolerant<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Tolerant<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.0.as_bool().unwrap_or_default())
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = self.0.as_u64().and_then(|number| u8::try_from(number).ok());
        visitor.visit_u8(number.unwrap_or_default())
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.0.as_u64().unwrap_or_default())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(self.0.as_f64().unwrap_or_default())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0.as_str().unwrap_or_default())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let items = self.0.as_array().into_iter().flatten();
        visitor.visit_seq(SeqDeserializer::new(items.map(Tolerant)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let fields = self.0.as_object().into_iter().flatten();
        visitor.visit_map(MapDeserializer::new(
            fields.map(|(key, value)| (key.as_str(), Tolerant(value))),
        ))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let field = |name: &&'static str| (*name, Tolerant(self.0.get(*name).unwrap_or(&MISSING)));
        visitor.visit_map(MapDeserializer::new(fields.iter().map(field)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let named = variants.iter().find(|name| self.0.as_str() == Some(name));
        let name = named.or(variants.first()).copied().unwrap_or_default();
        visitor.visit_enum(name.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u16 u32 u128 f32 char bytes byte_buf unit unit_struct newtype_struct
        tuple tuple_struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests;
