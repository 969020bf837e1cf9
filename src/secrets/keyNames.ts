/** Recognizes files that usually contain keys and passwords by their names. */

/** Names of files that contain secrets. Matched against the last part of a path in lower case. */
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

/** Examples of such files and public keys, which are meant to be shared. */
const HARMLESS_NAMES = /\.(example|sample|template|dist)$|^\.env\.(example|sample|template|dist)|\.pub$/;

/** Whether a file with this name usually contains keys or passwords. */
export function isKeyName(path: string): boolean {
  if (/(?:^|\/)\.kube\/config$/i.test(path)) return true;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return isKeyFile(name) || isKeyFile(name.replace(WINDOWS_ENDING, ''));
}

/** What Windows ignores at the end of a name: dots, spaces, and the name of a stream, as in `.env::$DATA`. */
const WINDOWS_ENDING = /:.*$|[. ]+$/;

function isKeyFile(name: string): boolean {
  return !HARMLESS_NAMES.test(name) && KEY_NAMES.some((pattern) => pattern.test(name));
}
