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
  ['npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  // Many model services use keys of this form.
  ['api-key', /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{24,}/],
  ['api-key', /\bkey_[A-Za-z0-9_-]{24,}/],
];
