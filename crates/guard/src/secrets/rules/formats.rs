//! Keys and tokens whose format belongs to no single issuer:
//! private keys without their PEM lines, wallets, JSON web tokens, files of programs.

use super::{Rule, rule};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    rule("age-key", "AGE-SECRET-KEY-1", "{u58}", "YNDWIFXBH4P8JSAIXW7JBO172PZY8S6SF5RWI3P5IWU9J8HRC7MXZN86T4"),
    rule("aptos-key", "ed25519-priv-0x", "{x64}", "78b1512c9e5f34925bd1fd29f2987c46457271d7a82a0ab7d0132f2369bb90e4"),
    rule("aptos-key", "secp256k1-priv-0x", "{x64}", "66a1991f414e8534d60d20b43e313797dcb758692d3073e69952f897c96301a2"),
    rule("bitcoin-key", "tprv8", "{a100-}", "VXf9TRgJ5H3frwtK5HDPru6lRgH9Pvnou7G4MEkixCnkMLGo86QRSpJIHMNvKXf8nzHe4Zq2xpbbPV1FGnhl0vbMZc678mlilbNQ"),
    rule("bitcoin-key", "xprv9", "{a100-}", "RHGHylass3lG5JtWekPnQ7TI1Kk2XVbzd4SZxEmlDPMl7lIaCiP0CH2Up9StSVaO7VCUjtcmwoEKiRagzSIonabJbhY3MWSBG9em"),
    rule("bitcoin-key", "yprvA", "{a100-}", "lwNfcHN5mAwDa5fKTq9c1U5DfchBqzkRLH6yGM0lBQOK4sMMIWsy8RPQAIFGf9tmQx6X9w4ZPXQjUw1SWAw7UxzGnJhYSlTMOq5w"),
    rule("bitcoin-key", "zprvA", "{a100-}", "QZHOmehlsk6Wb0bxdhzXxN3uDUrCthrz6i7cB7vlZeLaU40ejl2vqaG7C1WtnnzfYZwehpAkzbLuXQuTo21Qc28tw9tQf2c7OnYE"),
    rule("django-secret-key", "django-insecure-", "{g30-}", "w8#e^cmZqumpm08hsE8JNpjJOQGa2rb19FlY0"),
    rule("filezilla-password", "<Pass", " encoding={q1}base64{q1}>{!}{s6-}", " encoding='base64'>yyBt/y"),
    rule("jwt", "ew0K", "{b10-}.{b10-}.{v0-}", "ewuo4URddL.wbxMtETelA.J"),
    rule("jwt", "ewoJ", "{b10-}.{b10-}.{v0-}", "2a1sGdylU8.3pqDt92Ibf.1"),
    rule("jwt", "ewog", "{b10-}.{b10-}.{v0-}", "e5xKRXkDEN.uSGLS5omoA.m"),
    rule("jwt", "eyAi", "{b10-}.{b10-}.{v0-}", "jPnazMZoUN.zgTQD0loIF.g"),
    rule("jwt", "eyJ", "{b10-}.{b10-}.{v0-}", "lEFv7mHRHV.wumSxl5_MN.G"),
    rule("jwt-base64", "ZXlK", "{s60-}", "IPL5uEbev/fc6wwqX8Qy62+lUkRqvfRy7q8XPfecEqaBD48HNiya2q1s6pXi"),
    rule("macaroon", "MDAxY2xvY2F0aW9u", "{s60-}", "ouHY97qhhrLNPn3g13fy+KbfvSIXVQxqK4HbCrHTi8ViBmazWJiCpOOFHdMg"),
    rule("minisign-key", "RWRTY0Iy", "{s100-}", "3bOaWX5rnYFo8yKcG2XVQ5bo+ECAzQnLSRRAATaOXt7vSf+x4pukjTpe/yPRJqhpZIv4UYp9kVjJx+nXd70dfjIbOgwi+s7Hz/zT"),
    rule("near-key", "ed25519:", "{a80-90}", "bb8x0uneXBaFKGbgmoM8wPkRbFsem25izjbcsLx3gJVtFRZ4z7eqNyVLTTZOhvDxuMeWY4hSitcBcwWS"),
    rule("nostr-key", "nsec1", "{l58}", "ldj2ab4oymontwk3odmosx03s6zvjdvqdkheedr1xoyh8kz7kp4n3mjyo3"),
    rule("private-key", "MC4CAQAwBQYDK2VuBCIEI", "{s40-}", "MroNt2dGinD+Js4onvwTJv1tZOQOzfBKNLYAGgQM"),
    rule("private-key", "MC4CAQAwBQYDK2VwBCIEI", "{s40-}", "vNg+am8i/SAjydaotr0/7fXJzbHAwbSu+cd7FRXn"),
    rule("private-key", "MHcCAQEEI", "{s60-}", "GX+y4Vmjh9ClGY4YTbha1oQWX3PPtGznz56bjNJCaGdRlrPduCaGEUdgccrq"),
    rule("private-key", "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBD", "{s40-}", "BLsrDjzpTpw3ADWBsoUideHwgZL6JeWnp3fEPaKv"),
    rule("private-key", "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg", "{s40-}", "1iTsxNiwJGBvcPVDwunyaGYxsNCEU+w4XR0zN6Rl"),
    rule("private-key", "MIGkAgEBBD", "{s60-}", "O/mgrKwWJmK4UxFrUQmzKfHTLU8dGlZhh90BcznBoZwTUvBxN3K2NNq6cfYQ"),
    rule("private-key", "b3BlbnNzaC1rZXktdjEA", "{s60-}", "Q3FKtM/beOFiSZod/65KGvsWLSSF2dRTEZE0Y6wdm+D1wpN8iSuruoLx3HxQ"),
    rule("secret-token", "secret-token:", "{t16-}", "kZJi19QDTgrgrHEv"),
    rule("sui-key", "suiprivkey1", "{l58-}", "4awxtd8cu6pbck8v3vnuzlkszaadnc58oorfjon6k8fiqfrsiaq0rg9dsq"),
    rule("tezos-key", "edsk", "{a50}", "NJjonhwfVg8dmkaHtI6cmq3TYd1lm7O4eZV8fSYiJirCDE4hyX"),
    rule("tezos-key", "edsk", "{a94}", "QKNxCXTTI32PqLhsqvM80K9ReOnZeGjiXegPkMXHrf2tZ4c5S5QyYV4PTYw6SVkie4LTCp8OBc7VQ39x8fCL5daTR9wtGW"),
    rule("wordpress-key", "AUTH_KEY'", ",{k0-}'{!}{i60-}", ", 'i0)VrB:L[qLh;[(yvS8ts#ZYjdV6QY2xMJTHZtqIeXHG0pIRVhLd0)~2~]T["),
    rule("wordpress-key", "AUTH_SALT'", ",{k0-}'{!}{i60-}", ", '!hE7HqX9qipqRFaJB5hXl!:WWvN#EGpyAM;~jm:MpXhGsu7pd8Jbs2wsThBU"),
    rule("wordpress-key", "LOGGED_IN_KEY'", ",{k0-}'{!}{i60-}", ", 'XmDfA2wJ;DiuPSd^sQ!i4HW]y3|eH]lLvXgX!fWY9W2P|m0uWNBPY(HJtBh1"),
    rule("wordpress-key", "LOGGED_IN_SALT'", ",{k0-}'{!}{i60-}", ", '(]B!lQA3Ho[J!GaoP3wno3XJb0ZZHol]7v)0NX)TR)l]Y|Tn71legyj3dFN2"),
    rule("wordpress-key", "NONCE_KEY'", ",{k0-}'{!}{i60-}", ", 'Qxuy5:DgY9h0zDe19;q5:tuc9d)xPcQppbo4Er7(f2nc8(x;[!wW~UDK19#B"),
    rule("wordpress-key", "NONCE_SALT'", ",{k0-}'{!}{i60-}", ", 'mqcsw8sfPy3oS#JWrIY|t~!R0^ksU3wL7#WBme3(t7S3Qz3nQsb4c!:^!A;H"),
];
