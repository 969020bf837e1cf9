import type { SecretPattern } from './secretAnchors.ts';

/**
 * Passwords that are assigned to a name, as in files of settings and in code. Only the name shows that a value is a
 * password.
 */

/** The end of the name that the value is assigned to. */
const NAME = '(?:pass(?:word|wd|phrase)|pwd|secret(?:[-_]?key)?)';

const NAMES = 'pass pwd secret';

/** Examples, placeholders, and values that are read from elsewhere. */
const PLACEHOLDER =
  'pass|pwd|secret|change|example|placeholder|dummy|sample|redacted|insert|replace|todo|your|my[-_]|test|demo|foo|xxx|\\*\\*|\\.\\.\\.|1234|abc|env|://|::|=>';
/** What refers to a value, and a path. */
const REFERENCE = '[$%&<{*@!#./~]|\\w{1,20}[:(]|(?:arn|vault|op|ref|projects|none|null|true|false)\\b';

/** A word cannot be distinguished from a name in code. A value has several groups of digits, or digits and a punctuation mark. */
const hasDigits = (set: string): string =>
  `(?=${set}{0,100}[A-Za-z])(?=${set}{0,100}?\\d(?:${set}{0,100}?[A-Za-z]${set}{0,100}?\\d|${set}{0,100}?[!@#$%^&*?+])|${set}{0,100}?[!@#$%^&*?+]${set}{0,100}?\\d)`;

const QUOTED = '[^\\s"\'`\\\\]';
const BARE = '[^\\s"\'`$<>{}()[\\],;|\\\\]';

const value = (set: string): string =>
  `(?!${REFERENCE})(?!${set}{0,100}?(?:${PLACEHOLDER}))${hasDigits(set)}${set}{8,200}`;

/** What tools write in front of a line: its file and number, and the mark of a changed line. */
const MARGIN = '(?:(?:[\\w./@-]{1,200}:)?\\d{1,7}[:|\\t\u2192-][ \\t]{0,4})?[+-]?';

/** The beginning of a line, up to and including the name: `export DB_PASSWORD`, or an entry of a list in YAML. */
const LINE = `(?<=^[ \\t]{0,40}${MARGIN}[ \\t]{0,40}(?:- |export |set |ENV |ARG )?[\\w.-]{0,60})`;

/** An option of a command, or what follows it. */
const WORD_END = '(?=["\'`;&|)\\s]|$)';

const PASSWORD_PATTERNS: readonly SecretPattern[] = [
  [
    'password',
    NAMES,
    new RegExp(
      `${NAME}["'\`]?\\s{0,20}(?::=|=>|[:=])\\s{0,20}(?<quote>["'\`])(?<secret>${value(QUOTED)})\\k<quote>`,
      'i',
    ),
  ],
  [
    'password',
    NAMES,
    new RegExp(
      `${NAME}${LINE}[ \\t]{0,20}[:=][ \\t]{0,20}(?<secret>${value(BARE)})(?=[ \\t]*(?:#[^\\n]*)?\\r?$)`,
      'im',
    ),
  ],
  // In front of a command, or for a container: only variables are written in capitals and without spaces.
  [
    'password',
    NAMES,
    new RegExp(
      `(?:PASS(?:WORD|WD|PHRASE)|PWD|SECRET(?:_KEY)?)=(?<=(?<![\\w$.-])[A-Z0-9_]{0,80}=)(?<secret>${value(BARE)})${WORD_END}`,
    ),
  ],
  [
    'basicauth',
    'curl',
    new RegExp(
      `\\bcurl\\b[^\\n]{0,200}?[ \\t](?:-u|--user)[ =]["']?[^\\s:"'$]{1,100}:(?<secret>${value(BARE)})${WORD_END}`,
    ),
  ],
];

/**
 * Kinds of secrets that secretlint's recommended rules omit, or recognize only in their strictest form. A pattern that
 * also matches the surroundings of a secret names the secret itself `secret`.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  // An AWS secret access key has no recognizable form, so it is recognized by the name it is assigned to.
  [
    'aws',
    'secret session',
    /(?:\baws_?(?:secret_?key|session_?token)|(?<![A-Za-z])(?:aws_?)?secret_?access_?key)["']?\s{0,20}(?:=>|[:=])\s{0,20}["']?(?<secret>[A-Za-z0-9/+=]{40,})/i,
  ],
  // Not the one of the documentation.
  ['aws', 'AKIA ASIA', /\b(?:AKIA|ASIA)(?!IOSFODNN7EXAMPLE)[0-9A-Z]{16}\b/],
  // A signed JSON Web Token: its header and claims both begin with `{"`. A header that does not end is not read again.
  ['jwt', 'eyJ', /\beyJ(?:\w|-(?!eyJ)){10,1000}\.eyJ[\w-]{10,10000}\.[\w-]{16,}/],
  // The address of a database, a queue, or a cache that contains a password, not a placeholder. One that repeats the name
  // of its user protects nothing.
  [
    'database-connection-string',
    '://',
    /:\/\/(?<=\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+\w{1,20})?:\/\/)([^\s:@/"'`]{0,200}):(?!\1@|\$|<|\{|\*|%s|password@|pass@)(?<secret>[^\s@/"'`]{3,200})@/i,
  ],
  // The same as a list of settings, as JDBC and .NET have them.
  [
    'database-connection-string',
    'pass pwd',
    /[;?&][ ]?(?:password|pwd)=(?![$<{*%]|your|password|pass\b|change|example|x{3})(?=[^;&\s"'`]{6})(?<=(?:\bjdbc:[^\s"'`]{1,300}|\b(?:server|data source|host)=[^\n"'`]{1,300})=)(?<secret>[^;&\s"'`]{6,200})/i,
  ],
  // The login of a registry in Docker's settings: a name and a password in base64.
  ['docker', 'auth', /"auth"\s{0,20}:\s{0,20}"(?=[A-Za-z0-9+/]{0,100}\d)(?<secret>[A-Za-z0-9+/]{20,}={0,2})"/],
  [
    'netrc',
    'machine',
    /\bmachine\s{1,20}\S{1,200}\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20}(?=\S{0,100}\d)(?<secret>\S{8,200})/,
  ],
  // A user's private key in a kubeconfig, in base64.
  ['kubeconfig', 'key', /\bclient-key-data["']?:\s{0,20}["']?(?<secret>[A-Za-z0-9+/=]{40,})/],
  // A private key block. The key itself is included if its end line is present.
  [
    'privatekey',
    '-----BEGIN',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?<secret>(?:[^-]|-(?!----)){0,20000})-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/,
  ],
  // The rest of one whose beginning is in another text. Its first line may be cut.
  [
    'privatekey',
    '-----END',
    /(?=-----END )(?<=(?<secret>(?:(?<![^\s"'>|nr])[A-Za-z0-9+/]{1,76}={0,2}(?:\\[rn]|[\s>|]){1,20}){1,400}))-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/,
  ],
  ['github', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{40,}/],
  ['gitlab', 'glpat-', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['slack', 'xox', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['gcp', 'AIza', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['npm', 'npm_ auth', /\bnpm_[A-Za-z0-9]{36}\b|\b_authToken\s{0,5}=\s{0,5}["']?(?<secret>[A-Za-z0-9._-]{20,})/],
  ['pypi', 'pypi-', /\bpypi-AgE[A-Za-z0-9_-]{50,}/],
  ['twilio', '', /\bSK[0-9a-f]{32}\b/],
  ['twilio', 'twilio', /\btwilio_?auth_?token["']?\s{0,20}[:=]\s{0,20}["']?(?<secret>[0-9a-f]{32})\b/i],
  ['mailgun', 'key', /\bkey-[0-9a-f]{32}\b/],
  ['azure', 'key', /\bAccountKey=(?<secret>[A-Za-z0-9+/]{80,}={0,2})/],
  ['digitalocean', '_v1_', /\bdo[opr]_v1_[0-9a-f]{64}\b/],
  ['doppler', 'dp.', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}/],
  // A bot's token begins with its id in base64, which is a number.
  ['discord', '', /\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b/],
  ['discord', 'api/webhooks', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/(?<secret>[A-Za-z0-9_-]{60,80})/],
  // A server key of Firebase Cloud Messaging.
  ['gcp', ':APA91b', /\bAAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}/],
  ['telegram', ':AA', /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/],
  ['notion', 'ntn_ secret', /\bntn_[A-Za-z0-9]{40,}|\bsecret_[A-Za-z0-9]{43}\b/],
  ['age', 'secret', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
  ['atlassian', 'ATATT', /\bATATT3xFfGF0[A-Za-z0-9_=-]{50,}/],
  ['newrelic', 'NRAK-', /\bNRAK-[A-Z0-9]{27}\b/],
  ['planetscale', 'pscale_', /\bpscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,}/],
  ['pulumi', 'pul-', /\bpul-[0-9a-f]{40}\b/],
  ['sentry', 'sntrys_', /\bsntrys_eyJ[A-Za-z0-9+/=_]{40,}/],
  // The keys of Rails and of WordPress, by the names that they are assigned to.
  ['secret-key', 'secret', /\bsecret_key_base["']?\s{0,5}[:=]\s{0,5}["']?(?<secret>[0-9a-f]{64,})/i],
  [
    'secret-key',
    'key _salt',
    /\b(?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)['"],\s{0,20}(?<quote>['"])(?=[^'"\n]{0,200}\d)(?<secret>[^'"\n]{60,})\k<quote>/,
  ],
  // Further model services.
  ['api-key', 'xai- r8_ pplx-', /\bxai-[A-Za-z0-9]{70,}|\br8_[A-Za-z0-9]{37}\b|\bpplx-[A-Za-z0-9]{40,}/],
  // A token in the header of a request. A placeholder rarely has a digit.
  [
    'api-key',
    'auth',
    /\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?bearer\s{1,5}(?!eyJ)(?=[\w.~+/-]{0,100}\d)(?<secret>[\w.~+/-]{20,})/i,
  ],
  // Many model services use keys of this form. Random text has a digit and a longer run of letters and digits; names of
  // style classes, columns, and files rarely have both.
  [
    'api-key',
    'sk- sk_ pk- pk_ rk- rk_',
    /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?(?=[\w-]{0,100}\d)(?=[\w-]{0,100}?[A-Za-z0-9]{10})[\w-]{24,}/,
  ],
  ['api-key', 'key', /\bkey_(?=[\w-]{0,100}\d)(?=[\w-]{0,100}?[A-Za-z0-9]{10})[\w-]{24,}/],
  // A token in a file of settings, by its name. Random text mixes letters and digits more than once.
  [
    'api-key',
    'key token',
    /(?<=^[ \t]{0,40}(?:export )?[A-Z][A-Z0-9_]{0,60}_(?:API_(?:KEY|TOKEN)|(?:ACCESS|AUTH)_TOKEN))=(?<quote>["']?)(?=[\w+/=-]{0,100}[A-Za-z]\d[\w+/=-]{0,100}[a-z]\d)(?<secret>[\w+/=-]{32,200})\k<quote>[ \t]*\r?$/m,
  ],
  // The same under the names that YAML, JSON, and code have for it, also with dots and behind a prefix.
  [
    'api-key',
    'key token secret',
    /(?<!twilio_?|:_)(?:api[-_]?(?:key|token)|(?:access|auth|bearer|refresh)[-_]?token|(?:client|jwt|signing|webhook|session)[-_]?(?:secret|key))["'`]?\s{0,20}(?::=|=>|[:=])\s{0,20}(?<quote>["'`]?)(?![$%&<{*@!#./~])(?=[\w.+/=-]{0,100}?[A-Za-z]\d?[A-Za-z]?\d)(?=[\w.+/=-]{0,100}?\d[\w.+/=-]{0,100}?[A-Za-z][\w.+/=-]{0,100}?\d)(?=[\w.+/=-]{0,100}?[A-Za-z0-9]{10})(?<secret>[\w.+/=-]{24,400})\k<quote>(?=[\s,;}\])]|$)/i,
  ],
  // WireGuard's keys are 32 bytes in base64.
  [
    'wireguard',
    'key',
    /(?<![A-Za-z])(?:private_?key|pre_?shared_?key)["']?\s{0,20}[:=]\s{0,20}["']?(?<secret>[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)/i,
  ],
  // A private key in base64, as in variables of continuous integration.
  ['privatekey-base64', 'LS0tLS1', /\bLS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/]{60,20000}={0,2}/],
  [
    'basicauth',
    'auth',
    /\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?basic\s{1,5}(?<secret>(?=[A-Za-z0-9+/]{0,100}\d)[A-Za-z0-9+/]{16,}={0,2})/i,
  ],
  ...PASSWORD_PATTERNS,
];
