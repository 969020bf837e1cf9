/** What keys and passwords look like: in the names of files, and in text. */

/** Files that keep secrets. Matched against the last part of a path, in lower case. */
const KEY_NAMES: readonly RegExp[] = [
  /^\.env(rc|\..+)?$/,
  /\.env$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_.*)?(\..*)?$/,
  /^\.?(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials)$/,
  /^credentials(\.json)?$/,
  /^secrets?\.(ya?ml|json|toml|ini|txt)$/,
  /service[-_]?account.*\.json$/,
  /\.(auto\.)?tfvars(\.json)?$/,
  /\.tfstate(\.backup|\.\d+\.backup)?$/,
  /^kubeconfig([._-].*)?$|\.kubeconfig$/,
];

/** Examples of such files, and the public halves of keys, are there to be shared. */
const HARMLESS_NAMES = /\.(example|sample|template|dist)$|^\.env\.(example|sample|template|dist)|\.pub$/;

const KEY_TEXTS: readonly RegExp[] = [
  // The secret half of a key of AWS, by what it is assigned to, as it has no form of its own.
  /\baws_?(?:secret_?(?:access_?)?key|session_?token)["']?\s*(?:=>|[:=])\s*["']?[A-Za-z0-9/+=]{40}/i,
  // A signed JSON Web Token: header and claims begin with `{"`.
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}/,
  // The address of a database, a queue or a cache with a password that is no placeholder.
  /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+\w+)?:\/\/[^\s:@/"'`]*:(?!\$|<|\{|\*|%s|password@|pass@)[^\s@/"'`]{3,}@/i,
  // The key of a user in a kubeconfig, as base64.
  /\bclient-key-data["']?:\s*["']?[A-Za-z0-9+/=]{40,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY( BLOCK)?-----)?/,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{40,}\b/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
  /\bAIza[A-Za-z0-9_-]{35}\b/,
  /\b(sk|pk|rk)[-_](live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{24,}/,
  /\bkey_[A-Za-z0-9_-]{24,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
];

/** Whether files of this name usually keep keys or passwords. */
export function isKeyName(path: string): boolean {
  if (/(?:^|\/)\.kube\/config$/.test(path)) return true;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return !HARMLESS_NAMES.test(name) && KEY_NAMES.some((pattern) => pattern.test(name));
}

/** Whether there is something in the text that looks like a key. */
export function hasKey(text: string): boolean {
  return KEY_TEXTS.some((pattern) => pattern.test(text));
}

/** Puts `replacement` in the place of all that looks like a key. @returns the text, and how many there were. */
export function replaceKeys(text: string, replacement: string): { readonly text: string; readonly count: number } {
  let count = 0;
  const replace = () => {
    count += 1;
    return replacement;
  };
  const replaced = KEY_TEXTS.reduce(
    (rest, { source, flags }) => rest.replace(new RegExp(source, `${flags}g`), replace),
    text,
  );
  return { text: replaced, count };
}
