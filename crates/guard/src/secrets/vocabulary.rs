//! Lists words that appear where a secret is expected: labels, types, states and field names. All of these words are
//! called labels.

/// The label words in alphabetical order. A value that consists only of these words is a label and not a secret.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "access", "account", "actual", "add", "address", "adgangskode", "admin", "all", "allow", "allowed", "and", "any", "api", "app", "are",
    "arg", "args", "auth", "authentication", "authorization", "auto", "basic", "bearer", "body", "bool", "boolean", "bot", "button",
    "byte", "bytes", "cache", "callback", "cannot", "change", "check", "class", "client", "code", "config", "confirm", "confirmation",
    "contrase", "cookie", "create", "credential", "credentials", "csrf", "current", "custom", "data", "database", "de", "default",
    "delete", "description", "digest", "disabled", "edit", "email", "empty", "enable", "enabled", "encrypted", "enter", "env",
    "erforderlich", "error", "expected", "expired", "expires", "external", "failed", "false", "field", "file", "for", "forgot", "form",
    "from", "geslo", "get", "global", "group", "hash", "hashed", "haslo", "header", "help", "heslo", "hidden", "host", "http", "id",
    "identifier", "in", "index", "info", "input", "int", "integer", "internal", "invalid", "is", "item", "json", "jwt", "kennwort",
    "kerberos", "key", "keys", "kodeord", "kodeordet", "label", "ldap", "left", "length", "list", "local", "login", "logout", "long",
    "lower", "lozinka", "main", "manager", "map", "max", "message", "method", "min", "missing", "mode", "model", "mot", "my", "name",
    "new", "next", "nil", "no", "node", "none", "not", "null", "number", "oauth", "object", "obligatoire", "obligatoria", "obligatorio",
    "of", "off", "old", "on", "open", "option", "optional", "options", "or", "other", "own", "param", "params", "parola", "parole",
    "parool", "pass", "passe", "passord", "passphrase", "passwd", "password", "passwords", "passwort", "path", "phone", "plain", "please",
    "policy", "position", "private", "profile", "prompt", "provided", "provider", "public", "pw", "pwd", "query", "read", "refresh",
    "remember", "remove", "repeat", "request", "required", "requis", "requise", "reset", "response", "result", "right", "root", "safe",
    "salasana", "salasanan", "save", "schema", "scope", "script", "secret", "secrets", "security", "select", "self", "senha", "server",
    "service", "session", "set", "show", "sifre", "sign", "signin", "signup", "single", "size", "slaptazodis", "some", "source", "ssh",
    "state", "static", "status", "str", "string", "strong", "sub", "submit", "symbol", "system", "table", "target", "temp", "temporary",
    "test", "testing", "text", "the", "this", "ticket", "time", "title", "to", "token", "tokens", "too", "true", "type", "undefined",
    "unknown", "unset", "update", "upper", "uri", "url", "use", "user", "username", "users", "valid", "value", "values", "verify",
    "verplicht", "version", "view", "wachtwoord", "weak", "web", "with", "word", "write", "wrong", "yes", "your", "zaporka",
    "zugriffstoken",
];

/// Returns whether every word of the value is a label: `access_token`, `Confirm password`, `invalidToken`.
pub(crate) fn is_label(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphanumeric).count();
    letters > 0 && label_share(value) == letters
}

/// Returns the number of bytes of the value that belong to label words.
pub(crate) fn label_share(value: &str) -> usize {
    words(value).filter(|word| is_listed(word)).map(str::len).sum()
}

fn is_listed(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    LABELS.binary_search(&lower.as_str()).is_ok()
}

/// Splits an identifier or a phrase into words: at every character that is not an ASCII letter, and between a
/// lower-case and an upper-case letter.
pub(crate) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|character: char| !character.is_ascii_alphabetic()).flat_map(|run| {
        let bytes = run.as_bytes();
        let starts: Vec<usize> = (0..bytes.len())
            .filter(|&at| {
                at == 0 || bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()
            })
            .collect();
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]).collect::<Vec<_>>();
        starts.into_iter().zip(ends).map(|(start, end)| &run[start..end])
    })
}

#[cfg(test)]
mod tests {
    use super::{LABELS, is_label};

    #[test]
    fn labels_are_sorted() {
        assert!(LABELS.is_sorted());
    }

    #[test]
    fn labels_are_recognised_in_every_spelling() {
        for label in ["access_token", "Confirm password", "invalidToken", "NEW_PASSWORD"] {
            assert!(is_label(label), "{label}");
        }
        for value in ["hunter", "rootpasswd", "token7", ""] {
            assert!(!is_label(value), "{value}");
        }
    }
}
