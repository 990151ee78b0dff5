//! Keys and tokens whose format does not belong to one issuer: private keys without their PEM lines, wallets, JSON web
//! tokens, files of programs.

use super::{Rule, rule};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    rule("age-key", "AGE-SECRET-KEY-1", "{u58}", "YNDWIFXBH4P8JSAIXW7JBO172PZY8S6SF5RWI3P5IWU9J8HRC7MXZN86T4"),
    rule("aptos-key", "ed25519-priv-0x", "{x64}", "161bc13bec353ec393cf1bc4bc22654527d94b8bfef90c9f4b4a495ebcc125a8"),
    rule("aptos-key", "secp256k1-priv-0x", "{x64}", "77bf11d0d62c7ef218b06b09c6761dc901993f2e93f4b25d8afc35caaf8a1878"),
    rule("bitcoin-key", "tprv8", "{a100-}", "xxxB19BnMO0FZVh34D4ZnfZcfMEHd7zZ2zgFXqc67PSEoGv8F6rfgcM7CJLNYAmRuMvGATkkOBwuNhQKagTTxckajC6HT6D1zU9O"),
    rule("bitcoin-key", "xprv9", "{a100-}", "7Wf9PgnO2ofFYb0DXCrHrxCBMSZQLcwgbpWsuighpKYdvZKaQr6jSR3uFfqAVwYyIKOh8pD1iSXgYOqJqFNcu1QBvQ1fYWix1TCz"),
    rule("bitcoin-key", "yprvA", "{a100-}", "JgSKElCiTxurMdIIjxLi87IK1bM3zmXFRRXlLlGA3w1zZhPeWGPAkhLPDAm3tcMlHMbeOoWw607j8v0e4R9rawhwiRcUA0hzb7aE"),
    rule("bitcoin-key", "zprvA", "{a100-}", "pOL23MXaMvq6jqB1ROl9A5OscywBqEkMI3DRa2DlGnspstW1nxymJ6AKXXwrCDSPfRDRHGHylass3lG5JtWekPnQ7TI1Kk2XVbzd"),
    rule("django-secret-key", "django-insecure-", "{g30-}", "w8#e^cmZqumpm08hsE8JNpjJOQGa2rb19FlY0"),
    rule("filezilla-password", "<Pass", " encoding={q1}base64{q1}>{!}{s6-}", " encoding='base64'>p3p6Ut"),
    rule("jwt", "ew0K", "{b10-}.{b10-}.{v0-}", "kP9r8QVXzf.Ww3kTOOco5.l"),
    rule("jwt", "ewoJ", "{b10-}.{b10-}.{v0-}", "96XiOR5ZZO.PCHIZk5b64.V"),
    rule("jwt", "ewog", "{b10-}.{b10-}.{v0-}", "p7VOuUUGps.j8Oepby1XP.U"),
    rule("jwt", "eyAi", "{b10-}.{b10-}.{v0-}", "aNorPEW7Gd.IZ6Cml6DqP.b"),
    rule("jwt", "eyJ", "{b10-}.{b10-}.{v0-}", "lEFv7mHRHV.wumSxl5_MN.G"),
    rule("jwt-base64", "ZXlK", "{s60-}", "IPL5uEbev/fc6wwqX8Qy62+lUkRqvfRy7q8XPfecEqaBD48HNiya2q1s6pXi"),
    rule("macaroon", "MDAxY2xvY2F0aW9u", "{s60-}", "jw1OM5iQIuvGWEBg7Yz4wklLZfBCVR4r72LHlKffK4XTp3UOPhxEaSHjZOqv"),
    rule("minisign-key", "RWRTY0Iy", "{s100-}", "rLNPn3g13fy+KbfvSIXVQxqK4HbCrHTi8ViBmazWJiCpOOFHdMgh/q834KP6BMJqT2PXcw9TBpcOps137cKv6jEbYGUy0QyGLGRo"),
    rule("near-key", "ed25519:", "{a80-90}", "L1g0Ew82mjl4oHJISRhgGVTMvcyfhMtkn0AOx8oKuXFADhQaAz9A0FAMETp60rfRHKnBWTu5MDgyP7d6"),
    rule("nostr-key", "nsec1", "{l58}", "8a8h5p6onmvgs7wvvnnwauy6j3kw7c5l2hkfewhc5muv7ridhzrk72xzh4"),
    rule("private-key", "MC4CAQAwBQYDK2VuBCIEI", "{s40-}", "XCGsrs0DY2qagCOhj3FFMKpnGpchwBCpjeLHi5ek"),
    rule("private-key", "MC4CAQAwBQYDK2VwBCIEI", "{s40-}", "TMnad6RE/oLM3g/J7wHLOxrBkSnGyWA5toL99/we"),
    rule("private-key", "MHcCAQEEI", "{s60-}", "vwPBcfldCm9PoM+AzTDG0+BOP0Swv7i9VaRUmJKodFrvEx+nBT+qsKhxN9JR"),
    rule("private-key", "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBD", "{s40-}", "UqVfhP7KMihB9N2dtW5iAacdEm6/Mx37mXpbAKCz"),
    rule("private-key", "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg", "{s40-}", "ZRMTtbZxTF656jrljvCoCusbDss8cy3t1uPxWLZb"),
    rule("private-key", "MIGkAgEBBD", "{s60-}", "yOTGW8/zo1v3lWeKwp3FzsXUQ5+MVfF6Ve/5ga/mGg9xh/zxHwxjuPu+A7uK"),
    rule("private-key", "b3BlbnNzaC1rZXktdjEA", "{s60-}", "XhVtTo3lSGLYxCVS/nkSkIT+xGIXqvpiaz95k0LW7yLSj9wd6wyuzb1LbpSj"),
    rule("secret-token", "secret-token:", "{t16-}", "Zvj8n0u9VS1Ysj1C"),
    rule("sui-key", "suiprivkey1", "{l58-}", "q6du99o8s0pubynp5w87e3c2h8sikerem7timoy3m6y7o3rnx3s6xp69p8"),
    rule("tezos-key", "edsk", "{a50}", "JiNfHVfr5JS6psk52ZCPYW7OicrukQO95yk9bVzKdOwjVLEvZH"),
    rule("tezos-key", "edsk", "{a94}", "4zYL4jQuijYyWLFWNLNrZbfo8krgiAMIHn5LJ4vnZRAsiGXjZA1d2h4hyVA70gXb7DgGIkWdLbJpeAiPB1wOStYD9DF4Mr"),
    rule("wordpress-key", "AUTH_KEY'", ",{k0-}'{!}{i60-}", ", 'DLTsci))FTv3ke2n[j3C|TLqjrMUaeH|rM(7ZY2d:dmglXQ|VOuMAInu:tp5"),
    rule("wordpress-key", "AUTH_SALT'", ",{k0-}'{!}{i60-}", ", '[nr1(8qYXwXY;!q2W1ZuMk07A2:liRASYxTSZJLGJgRqQoaJ3mQkXxCEg!U9"),
    rule("wordpress-key", "LOGGED_IN_KEY'", ",{k0-}'{!}{i60-}", ", '2OMxRClsrT610j](WzOO~ag5Zps~B5(^dw^G8FR;hcC#q1IYdNTiMHcEe4gG"),
    rule("wordpress-key", "LOGGED_IN_SALT'", ",{k0-}'{!}{i60-}", ", 'AfsklubK#sNmLu:WyY;48SY;MefCABQ:M1ImSqP1;Cu^FUdVm2MW)vW]c:0L"),
    rule("wordpress-key", "NONCE_KEY'", ",{k0-}'{!}{i60-}", ", 'O9nw^y8IvF:7ErV0W)m;3lEcEawMVyCBrnY7nPjpJlW1;faz|7^2CNgq18bv"),
    rule("wordpress-key", "NONCE_SALT'", ",{k0-}'{!}{i60-}", ", '5isP0QH~wN64yMRVh|9Dj)3jrzE86z|i#4cT8GDQP4)1R9y0Ka^VC5)HrV]E"),
];
