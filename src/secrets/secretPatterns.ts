import { PASSWORD_PATTERNS } from './passwordPatterns.ts';

/** Kinds of secrets that secretlint's recommended rules omit, or recognize only in their strictest form. */
export const SECRET_PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // An AWS secret access key has no recognizable form, so it is recognized by the name it is assigned to.
  [
    'aws',
    /\baws_?(?:secret_?(?:access_?)?key|session_?token)["']?\s{0,20}(?:=>|[:=])\s{0,20}["']?[A-Za-z0-9/+=]{40,}/i,
  ],
  ['aws', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  // A signed JSON Web Token: its header and claims both begin with `{"`.
  ['jwt', /\beyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,10000}\.[A-Za-z0-9_-]{16,}/],
  // The address of a database, a queue, or a cache that contains a password, not a placeholder.
  [
    'database-connection-string',
    /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+\w{1,20})?:\/\/[^\s:@/"'`]{0,200}:(?!\$|<|\{|\*|%s|password@|pass@)[^\s@/"'`]{3,200}@/i,
  ],
  // A user's private key in a kubeconfig, in base64.
  ['kubeconfig', /\bclient-key-data["']?:\s{0,20}["']?[A-Za-z0-9+/=]{40,}/],
  // A private key block. The key itself is included if its end line is present.
  [
    'privatekey',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/,
  ],
  ['github', /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{40,}/],
  ['gitlab', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['slack', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['gcp', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['npm', /\bnpm_[A-Za-z0-9]{36}\b|\b_authToken\s{0,5}=\s{0,5}["']?[A-Za-z0-9._-]{20,}/],
  ['pypi', /\bpypi-AgE[A-Za-z0-9_-]{50,}/],
  ['twilio', /\bSK[0-9a-f]{32}\b/],
  ['mailgun', /\bkey-[0-9a-f]{32}\b/],
  ['azure', /\bAccountKey=[A-Za-z0-9+/]{80,}/],
  ['digitalocean', /\bdo[opr]_v1_[0-9a-f]{64}\b/],
  ['doppler', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}/],
  // A bot's token begins with its id in base64, which is a number.
  ['discord', /\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b/],
  ['discord', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,80}/],
  // A server key of Firebase Cloud Messaging.
  ['gcp', /\bAAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}/],
  ['telegram', /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/],
  ['notion', /\bntn_[A-Za-z0-9]{40,}|\bsecret_[A-Za-z0-9]{43}\b/],
  ['age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
  // Further model services.
  ['api-key', /\bxai-[A-Za-z0-9]{70,}|\br8_[A-Za-z0-9]{37}\b|\bpplx-[A-Za-z0-9]{40,}/],
  // A token in the header of a request. A placeholder rarely has a digit.
  ['api-key', /\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?bearer\s{1,5}(?!eyJ)(?=[\w.~+/-]{0,100}\d)[\w.~+/-]{20,}/i],
  // Many model services use keys of this form. Random text has a digit and a longer run of letters and digits; names of
  // style classes, columns, and files rarely have both.
  [
    'api-key',
    /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?(?=[\w-]{0,100}\d)(?=[\w-]{0,100}?[A-Za-z0-9]{10})[\w-]{24,}/,
  ],
  ['api-key', /\bkey_(?=[\w-]{0,100}\d)(?=[\w-]{0,100}?[A-Za-z0-9]{10})[\w-]{24,}/],
  ...PASSWORD_PATTERNS,
];
