//! Rules for tokens with a fixed part in the middle. Microsoft's keys, for example, contain a fixed signature.

/// Describes a token with a fixed part in the middle. The fixed part is the anchor.
pub(crate) struct InfixRule {
    pub(crate) kind: &'static str,
    /// The part before the anchor: its character class (see `shape`), its minimum length and its maximum length.
    pub(crate) before: (u8, usize, usize),
    pub(crate) anchor: &'static str,
    pub(crate) after: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the test of the rule, kept beside it"))]
    pub(crate) example: (&'static str, &'static str),
}

const fn infix(
    kind: &'static str,
    before: (u8, usize, usize),
    anchor: &'static str,
    after: &'static str,
    example: (&'static str, &'static str),
) -> InfixRule {
    InfixRule { kind, before, anchor, after, example }
}

#[rustfmt::skip]
pub(crate) const INFIX_RULES: &[InfixRule] = &[
    infix("azure-client-secret", (b'n', 3, 3), "0Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "1Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "2Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "3Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "4Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "5Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "6Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "7Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "8Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("azure-client-secret", (b'n', 3, 3), "9Q~", "{n31-34}", ("x_V", "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a")),
    infix("astra-token", (b'A', 4, 4), "aCS:", "{a24}:{x64}", ("Astr", "kQmH7hZPiWokcnzpjxfsHYwO:5c9f1a7e3b2d4c6f8a0b1c2d3e4f5a6b5c9f1a7e3b2d4c6f8a0b1c2d3e4f5a6b")),
    infix("azure-storage-key", (b'm', 76, 76), "+ASt", "{m6}==", ("PtYgjmUhBel31iEl2hpChYgCfrL1spNxnyVmihA/2O76UMFxFkM/R5Kjp1vRt+1fjORS/6ilI8ih", "N5KXSQ==")),
    infix("azure-cosmos-key", (b'm', 76, 76), "ACDb", "{m6}==", ("c7Tvo/hBKqFYY/kv5ZJr3J1TWDtkwtDDb+xHKas1VOqg6YYZYn9ZhyiA4uoRgnatmUdjAWtGSU8p", "o+799Q==")),
    infix("azure-batch-key", (b'm', 76, 76), "+ABa", "{m6}==", ("NksnRH9ucAUsdMlHUvTCQCyEZDz/TddJ8HyS5SUkCnD8zRA9a9SkpXz9w3QlY7Zkuvqdt7s8Stqc", "bnr3yQ==")),
    infix("azure-ml-key", (b'm', 76, 76), "+AMC", "{m6}==", ("BdGBLEPH1qhT61qtc4xatws8phP9nhFyJfm5di4PzJ59FHz5r1pY4OjE2jBMptUsGr7CmY+uCu3Z", "R1zTOQ==")),
    infix("azure-apim-key", (b'm', 76, 76), "APIM", "{m6}==", ("lUcR64cXQLioDnkHIfxIq2HZt/PlJhx2jIclHkCiHp6bR1IqfEouHgxzNNAL5wIScGebcy8F5n3/", "YNBDRQ==")),
    infix("azure-redis-key", (b'm', 33, 33), "AzCa", "{m6}=", ("zrZSgqbjG3uhkWKFLf6xuI5aHUQPFeNBT", "CxaQWk=")),
    infix("azure-service-bus-key", (b'm', 33, 33), "+ASb", "{m6}=", ("8JzFalHlsZfYcMMDktXP/tKsf2rcDkdfr", "CUnW5g=")),
    infix("azure-event-hub-key", (b'm', 33, 33), "+AEh", "{m6}=", ("cF+Ha6ili8GjHEAD6/Wj9KfzjsQGMrb9h", "C+ImB+=")),
    infix("azure-relay-key", (b'm', 33, 33), "+ARm", "{m6}=", ("LK777pzNk8cL6j5IXAAjlsHUqJoUD/+Yd", "Cua+5Z=")),
    infix("azure-iot-key", (b'm', 33, 33), "AIoT", "{m6}=", ("Ms1SWOpQaPRYpzbLGViYXjU2JgJngKtFI", "C3OyV2=")),
    infix("azure-event-grid-key", (b'm', 33, 33), "AZEG", "{m6}=", ("dZAkg05rK+gqv81RKMGHZEM9YpvujA/C5", "CQ52ry=")),
    infix("azure-search-key", (b'a', 42, 42), "AzSe", "{a6}", ("pflvJfupxqZKm4bV3AyAVHnyrvWdFrK9xiRGHOY32n", "Dfr5py")),
    infix("azure-registry-key", (b'm', 42, 42), "+ACR", "{m6}", ("Z53Ncqe28+ajY75FnCttn6kfaqDeMqG3omjMyXHCab", "CM6JOF")),
    infix("azure-function-key", (b'b', 44, 44), "AzFu", "{b6}==", ("8EFd0Nhcy-1kGD2VD-eR1UYzaLiA-zNyD7CHLn-xC_1h", "8Mj7zQ==")),
    infix("microsoft-annotated-key", (b'a', 52, 52), "JQQJ99", "{a26-28}", ("dnbMjAdTdlzC5T4uUhf7kvmlP7HVDctQUy1xvCkgafrfwA94hJ9W", "nCywX0t0ZBfdTEmxI6CmuxV5Eb")),
    infix("microsoft-annotated-key", (b'a', 52, 52), "JQQJ9D", "{a26-28}", ("OApZOXzcycDeZ6dqmVe5Mvxrv99NcqVTSu7rtaUWM6ZO88eb0ogE", "TC9D9XyYq6B0Fi7FlaZ7Vt0SXj")),
    infix("microsoft-annotated-key", (b'a', 52, 52), "JQQJ9H", "{a26-28}", ("Mpu3uDxYYMfGmzWkpAePcEJIukB4geqNfngAFTCloiADN5RpVI2X", "QCWhX1ssrKrxqVqmCplppjs46L")),
    infix("azure-devops-token", (b'a', 76, 76), "AZDO", "{a4}", ("0eBahcyXic6YOZq0M7qO60lI5QfecJUyGTelVEnIKXVuuEomFKB8KyVQ3JYmzSgnYNPPtPQvv9PB", "3eqU")),
    infix("mailchimp-key", (b'x', 32, 32), "-us", "{d1-2}", ("5c9f1a7e3b2d4c6f8a0b1c2d3e4f5a6b", "12")),
    infix("maxmind-key", (b'w', 36, 36), "_mmk", "", ("mGGwYP_nqwYo8kwQj1qH9CstFpS8gELRersl", "")),
    infix("new-relic-key", (b'x', 36, 36), "NRAL", "", ("5c9f1a7e3b2d4c6f8a0b1c2d3e4f5a6b7c8d", "")),
    infix("telegram-token", (b'd', 6, 10), ":AA", "{b32-34}", ("483957481", "FD39kkdpWt3ywyRZergyOLMaJhac61qcQ")),
    infix("openai-key", (b'b', 23, 90), "T3BlbkFJ", "{b20-80}", ("sk-gzu3oOHPkSpb_MlpiJdqkQzYP6PT5mJq36w-PRhY", "QDs8WKeW1gsC48-aqm0xz19rBPQ17AcSGb8Q9")),
    infix("terraform-token", (b'a', 8, 20), ".atlasv1.", "{e50-}", ("76efb9a35dbea3", "eo3gglxnuuR8yxjp6nq8h58ewnhrxkolx0t5l9q55bh3iegfeyrbzylfmfhj")),
    infix("firebase-key", (b'b', 7, 60), ":APA91b", "{b100-}", ("AAAAmuezqpG", "HoPZgPDcgaE40o1C6xc4sohdmM0Lm7exG3lCMqXXQ8agOMTNwncxvjcnqcMUP6n0a0uARxlNtencYFJEeAgYzQJjOIfPkzSrAsQtA9dtVK4wAAb3XZxPmzUzn8aB5kBh0fzK4x")),
    infix("firefox-login", (b'm', 3, 3), "EEPgAAAAAAAAAAAAAAAAAAAE", "{s40-}", ("MDo", "wFAYIKoZIhvcNAwcECBQ0N0EftdcPBBD9CaBvRSe9MhhqBjbd3UG8")),
    infix("rapidapi-key", (b'l', 36, 36), "jsn", "{l12}", ("e54014c2b5msh4b95523cf6941fap11c257c", "6f561c5cb347")),
    infix("unleash-token", (b'b', 1, 40), ":development.", "{x50-64}", ("default", "611a3ce9d97dcbee500fe7ee5fc324bdb2e1142a21c402364f9572b8")),
    infix("unleash-token", (b'b', 1, 40), ":production.", "{x50-64}", ("default", "5a8e48f687ab165c58ac5831be38cb8cb4ba2e751989a01749ddb14f")),
    infix("private-key", (b'm', 6, 6), "IBADANBgkqhkiG9w0BAQEFAASC", "{s60-}", ("MIIEow", "DfcgaTMnTC0MrAU8urbFt5misIZHbhS4/FvafhdZxEuhnbzs0z1wNiMg9aW37k5w")),
    infix("private-key", (b'm', 6, 6), "IBAAKCAQEA", "{s60-}", ("MIIEow", "CnHDepQHgI3HLBkbvHEzuPyXQEW88ad3DNBYjvsedonuSsddfrfifiUziXnFAAoe")),
    infix("private-key", (b'm', 6, 6), "IBAAKCAgEA", "{s60-}", ("MIIEow", "elK9mqmALOR2HcSGKgVP8Kd0d3mS8gBlKv3azKgaS+m+x/SHuKBD/vok+nPTmZYl")),
    infix("private-key", (b'm', 6, 6), "IBAAKBgQ", "{s60-}", ("MIIEow", "2dVAMH2vWD6qeSPt5Pv74GDqQ7EyIMttFPSuEPyHnvnzXtsMM3JznnJAX7ebZ3CL")),
    infix("private-key", (b'm', 6, 6), "IBAAKCAYEA", "{s40-}", ("MIIG4w", "igTaw/urXMec1m2/9vn5wBKMERrhP4G74CBes0uk7Vg8NtoeJZ99ka09l2eIU/Jm")),
    infix("private-key", (b'm', 6, 6), "IBAAKCBAEA", "{s40-}", ("MIISKQ", "98ggZOQJ3kfh6cW3y3znyR/4djOHH1ep3QP4JZNtLtoLaaWihysW5Vy/A3q9cSWe")),
    infix("private-key", (b'm', 6, 6), "IBAAKBwQ", "{s40-}", ("MIIDfQ", "0yIWQowldd4CTX5m2EcYZPlHugtDrCRWXCTOvDUcaKkrt4eRknBDk+d64IJV43fT")),
    infix("private-key", (b'm', 6, 6), "IBAAJB", "{s40-}", ("MIIBOw", "ndELPrmpEgQaJtO/lH1SXpF6rmGH/eO2RkqU4YUUU23B+o7Akfk9hYYm/Gf8CR+I")),
    infix("private-key", (b'm', 3, 3), "CAQEE", "{s40-}", ("MHQ", "lne40yOR0vu2SPpbnVfubs47Ym9w5rUOJhsVrcZy/ww0TYoj1vp60yMexcjDTtQj")),
    infix("private-key", (b'm', 4, 4), "AgEBBE", "{s40-}", ("MIHc", "JaToSqe1pZdb8EbRHsG3w1KfXT2H9v7b7wBKFLNAVWy1TI56l6WwbLLxMjvBudYh")),
    infix("private-key", (b'm', 4, 4), "AgEAMBMGByqGSM49", "{s40-}", ("MIGT", "U8yw6xwa4r4FNb5sNfzTC9qamYCBadco3iylnkJTN7JPxnQBCO9urU5BuCERlAZi")),
    infix("private-key", (b'm', 4, 4), "AgEAMBAGByqGSM49", "{s40-}", ("MIGE", "GVFcd/AoxRdfyxrxdxTlfz0T7akHf6leo2HYvXw2KKX0+kMyUSsT1TVYAoxHTyip")),
    infix("private-key", (b'm', 3, 3), "CAQAwEwYHKoZIzj0C", "{s40-}", ("MEE", "wLvddUgpYUP7J4MoIZqe2QxjbitxRHb4MBBYlTjpE1uYcOPDeNTMlfB8JqXVJpU8")),
    infix("pkcs12-bundle", (b'm', 6, 6), "IBAzCC", "{s100-}", ("MIIKcQ", "7csGZaF31DDxp63OHm1FZuG296c0xPbX+neGBuzSm6A8cVR06AxYpThGJWZhbj11THnCMZCY7Bvqiy8CsT07Lq8TDIWG2x9aJTFMP9+2kUtMXhkPrSbbAjLG")),
];
