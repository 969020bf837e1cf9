/** Kinds of secrets that secretlint's recommended rules leave out, or accept in their strictest form only. */
export const SECRET_PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // The secret half of a key of AWS has no form of its own, so it is recognized by what it is assigned to.
  [
    'aws',
    /\baws_?(?:secret_?(?:access_?)?key|session_?token)["']?\s{0,20}(?:=>|[:=])\s{0,20}["']?[A-Za-z0-9/+=]{40,}/i,
  ],
  ['aws', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  // A signed JSON Web Token: header and claims begin with `{"`.
  ['jwt', /\beyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,10000}\.[A-Za-z0-9_-]{16,}/],
  // The address of a database, a queue, or a cache with a password that is no placeholder.
  [
    'database-connection-string',
    /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+\w{1,20})?:\/\/[^\s:@/"'`]{0,200}:(?!\$|<|\{|\*|%s|password@|pass@)[^\s@/"'`]{3,200}@/i,
  ],
  // The key of a user in a kubeconfig, as base64.
  ['kubeconfig', /\bclient-key-data["']?:\s{0,20}["']?[A-Za-z0-9+/=]{40,}/],
  // With the key itself, if its end is there.
  [
    'privatekey',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/,
  ],
  ['github', /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{40,}/],
  ['gitlab', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['slack', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['gcp', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  // Keys of this form are used by many services of models.
  ['api-key', /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{24,}/],
  ['api-key', /\bkey_[A-Za-z0-9_-]{24,}/],
];
