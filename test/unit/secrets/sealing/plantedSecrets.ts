/** Secrets of many kinds, made from random letters, each with a text in which it is found. */
import fc from 'fast-check';

export interface Planted {
  readonly kind: string;
  /** The secret itself. */
  readonly value: string;
  /** What the rules need to find it. */
  readonly text: string;
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function randomText(letters: string, length: number): fc.Arbitrary<string> {
  const letter = fc.nat(letters.length - 1).map((at) => letters.charAt(at));
  return fc.array(letter, { minLength: length, maxLength: length }).map((all) => all.join(''));
}

/** Random text that no rule takes for a placeholder: it mixes letters and digits, and has no word. */
const token = (length: number) => randomText(ALPHANUMERIC, length).map((text) => `Q7w${text.slice(4)}9`);
const upper = (length: number) => randomText('QWZV23456789', length);
const digits = (length: number) => randomText('23456789', length);
const hex = (length: number) => randomText('0123456789abcdef', length).map((text) => `7f3${text.slice(3)}`);

const lines = (count: number) =>
  fc.array(randomText(`${ALPHANUMERIC}+/`, 64), { minLength: count, maxLength: count }).map((all) => all.join('\n'));

type Recipe = readonly [kind: string, value: fc.Arbitrary<string>, text: (value: string) => string];

const itself = (value: string): string => value;

const RECIPES: readonly Recipe[] = [
  ['github', token(36).map((each) => `ghp_${each}`), itself],
  ['github', token(36).map((each) => `gho_${each}`), itself],
  ['github', token(60).map((each) => `github_pat_${each}`), itself],
  ['gitlab', token(24).map((each) => `glpat-${each}`), itself],
  ['slack', fc.tuple(digits(12), token(24)).map(([id, each]) => `xoxb-${id}-${each}`), itself],
  ['slack', token(24), (value) => `https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/${value}`],
  ['aws', upper(16).map((each) => `AKIA${each}`), itself],
  ['aws', token(40), (value) => `aws_secret_access_key = ${value}`],
  ['aws', randomText(`${ALPHANUMERIC}/+`, 40), (value) => `AWS_SECRET_ACCESS_KEY="${value}"`],
  ['gcp', token(35).map((each) => `AIza${each}`), (value) => `key ${value} `],
  ['npm', token(36).map((each) => `npm_${each}`), itself],
  ['npm', token(40), (value) => `//packages.example.com/:_authToken=${value}`],
  ['pypi', token(60).map((each) => `pypi-AgE${each}`), itself],
  ['twilio', hex(32).map((each) => `SK${each}`), (value) => `key ${value} `],
  ['twilio', hex(32), (value) => `twilio_auth_token: ${value}`],
  ['mailgun', hex(32).map((each) => `key-${each}`), (value) => `key ${value} `],
  ['azure', token(84), (value) => `AccountName=a;AccountKey=${value}`],
  ['digitalocean', hex(64).map((each) => `dop_v1_${each}`), (value) => `key ${value} `],
  ['doppler', token(44).map((each) => `dp.pt.${each}`), itself],
  ['discord', token(68), (value) => `https://discord.com/api/webhooks/123456789012345678/${value}`],
  ['telegram', fc.tuple(digits(9), token(33)).map(([id, each]) => `${id}:AA${each}`), (value) => `bot ${value} `],
  ['notion', token(44).map((each) => `ntn_${each}`), itself],
  ['age', upper(58).map((each) => `AGE-SECRET-KEY-1${each}`), (value) => `key ${value} `],
  ['atlassian', token(60).map((each) => `ATATT3xFfGF0${each}`), itself],
  ['newrelic', upper(27).map((each) => `NRAK-${each}`), (value) => `key ${value} `],
  ['planetscale', token(40).map((each) => `pscale_tkn_${each}`), itself],
  ['pulumi', hex(40).map((each) => `pul-${each}`), (value) => `key ${value} `],
  ['sentry', token(60).map((each) => `sntrys_eyJ${each}`), itself],
  ['secret-key', hex(128), (value) => `secret_key_base: ${value}`],
  ['api-key', token(80).map((each) => `xai-${each}`), itself],
  ['api-key', token(40).map((each) => `sk-${each}`), itself],
  ['api-key', token(40).map((each) => `sk-proj-${each}`), itself],
  ['api-key', token(40), (value) => `Authorization: Bearer ${value}`],
  ['api-key', token(40).map((each) => `key_${each}`), itself],
  [
    'jwt',
    fc.tuple(token(40), token(60), token(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
    (value) => `token ${value} `,
  ],
  ['database-connection-string', token(16), (value) => `postgres://app:${value}@db.internal:5432/app`],
  ['database-connection-string', token(16).map((each) => `${each}!$`), (value) => `redis://:${value}@cache:6379`],
  ['database-connection-string', token(14), (value) => `jdbc:mysql://db/app?user=root&password=${value}`],
  ['basicauth', token(20), (value) => `https://someone:${value}@git.example.com/x`],
  ['netrc', token(20), (value) => `machine api.example login me password ${value}`],
  ['password', upper(16).map((each) => `7W${each}!9%`), (value) => `DB_PASSWORD=${value}`],
  ['password', upper(16).map((each) => `7W${each}é&9`), (value) => `password: '${value}'`],
  ['kubeconfig', randomText(`${ALPHANUMERIC}+/`, 400), (value) => `client-key-data: ${value}`],
  ['privatekey', lines(6), (value) => `-----BEGIN RSA PRIVATE KEY-----\n${value}\n-----END RSA PRIVATE KEY-----`],
  ['privatekey', lines(3), (value) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${value}\nand the rest is lost`],
];

/** One for each kind and form. */
export const FORMS_OF_PLANTED: readonly fc.Arbitrary<Planted>[] = RECIPES.map(([kind, value, text]) =>
  value.map((each) => ({ kind, value: each, text: text(each) })),
);

export const planted: fc.Arbitrary<Planted> = fc.oneof(...FORMS_OF_PLANTED);
