import { defined } from '../../../../../src/formats/json.ts';
import type { Budget } from '../../../../../src/gateway/keys/issuedKey.ts';
import { readSecretPolicy, SECRET_POLICIES } from '../../../../../src/rules/secretPolicy.ts';
import type { KeyChanges } from '../../postgres/admin/keyAdmin.ts';
import { FLAG, readArguments, textOptions, UsageError } from '../arguments.ts';

export const ADMIN_HELP = `Manages the keys and teams in the database of a gateway.

Usage: model-access-gateway keys|teams COMMAND [NAME] [options]

  keys create            create a key and print it; it is shown only once
  keys list              list all keys with their budgets
  keys show NAME         show one key and its spending
  keys change NAME       change only the given options
  keys rotate NAME       replace the secret of a key and print the new one
  keys revoke NAME       revoke a key and end its running requests
  teams create|list|show|change|revoke
                         the same for teams, whose budgets their keys share

  --database URL         postgres://user:password@host/database (default:
                         DATABASE_URL)
  --name NAME            name of the new key or team, or the new name
  --team TEAM            team of the key; none removes it from its team
  --budget BUDGET        5 for $5 in total, 5/monthly, 2/daily, or 100000tokens/daily;
                         repeatable; none removes all
  --model PATTERN        model that the key may use, such as familya-*; repeatable;
                         none allows all
  --expires DATE         such as 2027-01-31 or 2027-01-31T12:00:00Z; none for never
  --parallel N           requests at the same time; 0 for no limit
  --requests-per-minute N
  --tokens-per-minute N
  --session-dollars USD  the most that a session may cost; 0 for no limit
  --lower-limits yes|no  whether output limits that a budget does not cover are
                         lowered; yes for new keys
  --measure-context yes|no  whether what its requests consist of is measured
  --secrets POLICY       off, report, seal, or refuse secrets in its requests; none
                         leaves it to the gateway
  --json                 print JSON
`;

export type AdminNoun = 'keys' | 'teams';

export interface AdminCommand {
  readonly noun: AdminNoun;
  readonly verb: string;
  /** Name of the key or team. */
  readonly target?: string;
  /** The terms to set. */
  readonly changes: KeyChanges;
  readonly database?: string;
  readonly isJson: boolean;
}

/**
 * @returns `undefined` if only help is requested.
 * @throws {UsageError}
 */
export function readAdminCommand(args: readonly string[]): AdminCommand | undefined {
  const { values, positionals } = parse(args);
  const [noun, verb, target, ...rest] = positionals;
  if (values.help || verb === undefined) return undefined;
  if (noun !== 'keys' && noun !== 'teams') throw new UsageError('Use the command keys or teams. See keys --help.');
  if (rest.length > 0)
    throw new UsageError(`${rest.join(' ')} is unexpected. Put names with spaces in quotation marks.`);
  const { database, json, ...terms } = values;
  return {
    noun,
    verb,
    changes: readChanges(terms, noun),
    isJson: json,
    ...defined({ target, database }),
  };
}

function parse(args: readonly string[]) {
  return readArguments(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        ...textOptions('database', 'name', 'team', 'expires', 'parallel', 'requests-per-minute', 'tokens-per-minute'),
        ...textOptions('session-dollars', 'lower-limits', 'measure-context', 'secrets'),
        budget: { type: 'string', multiple: true },
        model: { type: 'string', multiple: true },
        json: FLAG,
        help: FLAG,
      },
    },
    'See keys --help.',
  );
}

type Terms = Omit<ReturnType<typeof parse>['values'], 'database' | 'json'>;

const KEYS_ONLY = [
  'team',
  'model',
  'expires',
  'parallel',
  'requests-per-minute',
  'tokens-per-minute',
  'session-dollars',
  'lower-limits',
  'measure-context',
  'secrets',
] as const;

function readChanges(values: Terms, noun: AdminNoun): KeyChanges {
  const { name, team, budget, model, expires } = values;
  const misplaced = noun === 'teams' ? KEYS_ONLY.find((option) => values[option] !== undefined) : undefined;
  if (misplaced !== undefined) throw new UsageError(`Teams do not support --${misplaced}.`);
  return {
    ...(name !== undefined && { name }),
    ...(team !== undefined && { team: team === 'none' ? null : team }),
    ...(budget !== undefined && { budgets: isNone(budget) ? null : budget.map(readBudget) }),
    ...(model !== undefined && { models: isNone(model) ? null : model }),
    ...(expires !== undefined && { expiresAt: expires === 'none' ? null : readDate(expires) }),
    ...readLimits(values),
    ...readLowering(values['lower-limits']),
    ...readMeasuring(values['measure-context']),
    ...readPolicy(values.secrets),
  };
}

function isNone(values: readonly string[]): boolean {
  return values.length === 1 && values[0] === 'none';
}

const BUDGET = /^\$?(\d+(?:\.\d+)?)(usd|tokens)?(?:\/(total|daily|monthly))?$/;

/** @throws {UsageError} */
function readBudget(text: string): Budget {
  const [, amount, unit = 'usd', period = 'total'] = BUDGET.exec(text) ?? [];
  if (amount === undefined)
    throw new UsageError(`--budget must be an amount such as 5, 5/monthly, or 100000tokens/daily, not ${text}.`);
  return { amount: Number(amount), unit, period } as Budget;
}

/** @throws {UsageError} */
function readDate(text: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError('--expires must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  return time;
}

function readLowering(text: string | undefined): Pick<KeyChanges, 'lowersLimits'> {
  return text === undefined ? {} : { lowersLimits: isYes('--lower-limits', text) };
}

function readMeasuring(text: string | undefined): Pick<KeyChanges, 'measuresContext'> {
  return text === undefined ? {} : { measuresContext: isYes('--measure-context', text) };
}

/** @throws {UsageError} */
function isYes(option: string, text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError(`${option} must be yes or no, not ${text}.`);
  return text === 'yes';
}

/** @throws {UsageError} */
function readPolicy(text: string | undefined): Pick<KeyChanges, 'secrets'> {
  if (text === undefined) return {};
  const secrets = text === 'none' ? null : readSecretPolicy(text);
  if (secrets === undefined)
    throw new UsageError(`--secrets must be ${SECRET_POLICIES.join(', ')}, or none, not ${text}.`);
  return { secrets };
}

function readLimits(values: Terms): Pick<KeyChanges, 'limits'> {
  const given = {
    parallel: values.parallel,
    requestsPerMinute: values['requests-per-minute'],
    tokensPerMinute: values['tokens-per-minute'],
    sessionDollars: values['session-dollars'],
  };
  const limits = Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, Number(text)]]));
  return limits.length === 0 ? {} : { limits: Object.fromEntries(limits) };
}
