//! Lists the commands and statements that take a password.

use super::Command::{
    self, Account, Auth, Bound, Encoded, Flags, FlagsIf, Last, Literal, Marked, Next, NextPair,
    Oracle, Pair, Setting, Share, Stored, StrictNext, StrictSetting, Target, Word,
};

const USER: &[&str] = &["-u ", "-u", "--user ", "--user=", "--proxy-user ", "-U "];
const WORKGROUP_USER: &[&str] = &["-U ", "-U", "--user=", "--user "];
const P: &[&str] = &["-p "];
const P_ATTACHED: &[&str] = &["-p"];
const CAPITAL_P: &[&str] = &["-P ", "-P"];
const ZIP: &[&str] = &["-P ", "-P", "--password "];
const BIND: &[&str] = &["-w "];
const SNMP: &[&str] = &["-A ", "-X ", "-c "];

/// The anchor of each command, in lower case, and the position of the password.
#[rustfmt::skip]
pub(crate) const COMMANDS: &[(&str, Command)] = &[
    // Programs that take the user and the password in one word.
    ("curl ", Pair(USER, b':')), ("http -a ", NextPair(b':')), ("https -a ", NextPair(b':')), ("xh -a ", NextPair(b':')),
    ("etcdctl ", Pair(&["--user ", "--user="], b':')), ("elasticdump ", Pair(USER, b':')), ("lftp ", Pair(USER, b',')),
    ("smbclient ", Pair(WORKGROUP_USER, b'%')), ("rpcclient ", Pair(WORKGROUP_USER, b'%')), ("smbget ", Pair(WORKGROUP_USER, b'%')),
    ("net rpc ", Pair(WORKGROUP_USER, b'%')), ("net ads ", Pair(WORKGROUP_USER, b'%')), ("wmic -", Pair(WORKGROUP_USER, b'%')),
    ("impacket-", Target), ("psexec.py ", Target), ("wmiexec.py ", Target), ("secretsdump.py ", Target), ("smbexec.py ", Target),
    ("sqlplus ", Oracle), ("sqlldr ", Oracle), ("expdp ", Oracle), ("impdp ", Oracle), ("rman target ", Oracle), ("sqlcl ", Oracle),
    // Programs with a one-letter password flag.
    ("mysql ", Flags(P_ATTACHED)), ("mysqldump ", Flags(P_ATTACHED)), ("mysqladmin ", Flags(P_ATTACHED)),
    ("mysqlimport ", Flags(P_ATTACHED)), ("mysqlsh ", Flags(P_ATTACHED)), ("mysqlcheck ", Flags(P_ATTACHED)),
    ("mariadb ", Flags(P_ATTACHED)), ("mariadb-dump ", Flags(P_ATTACHED)), ("xtrabackup ", Flags(P_ATTACHED)),
    ("7z ", Flags(P_ATTACHED)), ("7za ", Flags(P_ATTACHED)), ("7zz ", Flags(P_ATTACHED)),
    ("rar a ", Flags(&["-hp", "-p"])), ("rar x ", Flags(P_ATTACHED)), ("rar e ", Flags(P_ATTACHED)),
    ("unrar x ", Flags(P_ATTACHED)), ("unrar e ", Flags(P_ATTACHED)),
    ("sshpass ", Flags(&["-p ", "-p"])), ("mongo ", Flags(P)), ("mongosh ", Flags(P)), ("mongodump ", Flags(P)),
    ("mongorestore ", Flags(P)), ("mongoexport ", Flags(P)), ("mongoimport ", Flags(P)), ("cqlsh ", Flags(P)), ("hdbsql ", Flags(P)),
    ("beeline ", Flags(P)), ("docker login", Flags(P)), ("podman login", Flags(P)), ("nerdctl login", Flags(P)),
    ("buildah login", Flags(P)), ("skopeo login", Flags(P)), ("oras login", Flags(P)), ("crane auth login", Flags(P)),
    ("helm registry login", Flags(P)), ("oc login", Flags(P)), ("cf login", Flags(P)), ("argocd login", Flags(P)),
    ("az login", Flags(P)), ("az sql ", Flags(P)), ("az acr ", Flags(P)), ("az mysql ", Flags(P)), ("az postgres ", Flags(P)),
    ("twine upload ", Flags(P)), ("rabbitmqadmin ", Flags(P)), ("ncftpput ", Flags(P)), ("ncftpget ", Flags(P)),
    ("psexec ", Flags(P)), ("psexec64 ", Flags(P)), ("rdesktop ", Flags(P)), ("evil-winrm ", Flags(P)), ("crackmapexec ", Flags(P)),
    ("netexec ", Flags(P)), ("nxc ", Flags(P)), ("useradd ", Flags(P)), ("usermod ", Flags(P)), ("vncdo ", Flags(P)),
    ("sqlcmd ", Flags(CAPITAL_P)), ("osql ", Flags(CAPITAL_P)), ("bcp ", Flags(CAPITAL_P)), ("tsql ", Flags(CAPITAL_P)),
    ("ipmitool ", Flags(CAPITAL_P)), ("mosquitto_pub ", Flags(CAPITAL_P)), ("mosquitto_sub ", Flags(CAPITAL_P)),
    ("zip ", Flags(ZIP)), ("unzip ", Flags(ZIP)), ("ssh-keygen ", Flags(&["-N ", "-P "])), ("redis-cli ", Flags(&["-a ", "--pass "])),
    ("ldapsearch ", Flags(BIND)), ("ldapadd ", Flags(BIND)), ("ldapmodify ", Flags(BIND)), ("ldapdelete ", Flags(BIND)),
    ("ldapwhoami ", Flags(BIND)), ("ldappasswd ", Flags(&["-w ", "-s "])), ("kadmin ", Flags(&["-w ", "-pw "])),
    ("openssl enc ", Flags(&["-k "])), ("openssl aes-", Flags(&["-k "])), ("openssl des3 ", Flags(&["-k "])),
    ("snmpwalk ", Flags(SNMP)), ("snmpget ", Flags(SNMP)), ("snmpset ", Flags(SNMP)), ("snmpbulkwalk ", Flags(SNMP)),
    ("xfreerdp ", Flags(&["/p:", "-p "])), ("xfreerdp3 ", Flags(&["/p:"])), ("wfreerdp ", Flags(&["/p:"])), ("schtasks ", Flags(&["/rp ", "/RP ", "/p ", "/P "])),
    ("cmdkey ", Flags(&["/pass:", "/PASS:", "/p:"])), ("x11vnc ", Flags(&["-passwd "])),
    ("secretsmanager ", Flags(&["--secret-string ", "--secret-string="])),
    ("ssm put-parameter ", FlagsIf("SecureString", &["--value ", "--value="])),
    // Programs that take the password as a positional argument.
    ("net use ", Share), ("net user ", Account(1)), ("rasdial ", Account(2)), ("isql ", Account(2)),
    ("htpasswd ", Last(b'b')), ("mosquitto_passwd ", Last(b'b')), ("rabbitmqctl add_user ", Word(1)),
    ("rabbitmqctl change_password ", Word(1)), ("mc alias set ", Word(3)), ("mc config host add ", Word(3)),
    ("rclone obscure ", Word(0)), ("consul kv put ", Stored), ("etcdctl put ", Stored),
    ("convertto-securestring ", Literal), ("convertto-securestring -string ", Literal),
    ("auth ", Auth), ("quote pass ", Next), ("acl setuser ", Marked(b'>')), ("user default on ", Marked(b'>')),
    ("-passin pass:", Next), ("-passout pass:", Next), ("-pass pass:", Next), ("-password pass:", Next), ("openssl passwd ", Word(0)),
    ("password-file=<(echo ", Next), ("password-file <(echo ", Next),
    // Statements, and settings of servers and network devices.
    ("identified by ", Next), ("identified by password ", Next), ("_password by ", Next), ("_password' by ", Next),
    ("requirepass ", Next), ("masterauth ", Next), ("sentinel auth-pass ", Word(1)), ("rocommunity ", Next), ("rwcommunity ", Next),
    ("db2 connect to ", Setting(&["using"])), ("machine ", Setting(&["password"])), ("neighbor ", Setting(&["password"])),
    ("username ", Setting(&["password", "secret"])), ("nmcli ", Setting(&["password", "psk"])),
    ("snmp-server ", Setting(&["community"])), ("community read cipher ", StrictNext), ("community write cipher ", StrictNext),
    ("community read simple ", StrictNext), ("community write simple ", StrictNext), ("enable ", StrictSetting(&["secret", "password"])),
    ("local-user ", Setting(&["simple", "cipher", "irreversible-cipher"])), ("dns cloudflare ", StrictNext),
    ("tacacs-server ", StrictSetting(&["key"])), ("radius-server ", StrictSetting(&["key"])),
    ("pre-shared-secret ", StrictNext), ("plaintext-password ", StrictNext), ("shared-secret ", StrictNext), ("walletpassphrase ", StrictNext),
    ("isakmp key ", StrictNext), ("-digest-key 1 md5 ", StrictNext), ("open -u ", NextPair(b',')), ("-o user=", NextPair(b'%')),
    ("-o username=", NextPair(b'%')), ("encryptwallet ", StrictNext),
    ("pre-shared-key ", StrictSetting(&[])), ("authentication-key ", StrictSetting(&[])), ("key-string ", StrictSetting(&[])),
    ("server-key 7 ", Encoded(b'7')), ("server-key ", Encoded(b'0')), ("key 7 ", Encoded(b'7')),
    ("key 0 ", Encoded(b'0')), ("password 7 ", Encoded(b'7')), ("secret 7 ", Encoded(b'7')), ("ascii 0 ", Encoded(b'0')),
    ("ascii 7 ", Encoded(b'7')), ("pre-shared-key local ", StrictNext), ("pre-shared-key remote ", StrictNext),
    ("psksecret ", StrictNext), ("wpa2-pre-shared-key=", StrictNext), ("wpa-pre-shared-key=", StrictNext), ("credentials=", Bound),
    (" : eap ", Literal), (" : xauth ", Literal), (" : ntlm ", Literal), ("\n: eap ", Literal), ("\n: xauth ", Literal),
    // Clients of object stores.
    ("ossutil config ", Flags(&["-k ", "--access-key-secret "])), ("ossutil64 config ", Flags(&["-k "])), ("coscmd config ", Flags(&["-s "])),
    ("obsutil config ", Flags(&["-k=", "-sk="])), ("s3cmd ", Flags(&["--secret_key=", "--secret_key "])), ("qshell account ", Word(1)),
];
