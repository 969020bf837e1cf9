import { randomUUID } from 'node:crypto';
import { defined } from '../../../../../src/formats/json.ts';
import type { KeyLimits } from '../../../../../src/gateway/core/keyLimits.ts';
import {
  type Budget,
  createLocalKeySecret,
  type KeyDetails,
  type KeyTerms,
} from '../../../../../src/gateway/keys/issuedKey.ts';
import { checkedName, checkedTerms } from '../../../../../src/gateway/keys/keyTerms.ts';
import { digestOf } from '../../../../../src/gateway/keys/sentSecrets.ts';
import type { SecretPolicy } from '../../../../../src/rules/secretPolicy.ts';
import type { DatabaseConnection } from '../connection.ts';
import { readKey, SELECT_KEYS, storedTerms } from '../storedKey.ts';
import { AdminError, withName } from './adminError.ts';
import { type BudgetReport, budgetRows, replaceBudgets, reportBudgets } from './budgetRows.ts';

/** A key in the API for administrators. Times are in ISO 8601. */
export interface KeyReport {
  readonly id: string;
  readonly name: string;
  /** Name of the key's team. */
  readonly team?: string;
  readonly budgets: readonly BudgetReport[];
  readonly limits?: KeyLimits;
  readonly models?: readonly string[];
  /** Whether output limits that a budget does not cover are lowered. */
  readonly lowers_limits: boolean;
  /** Whether what its requests consist of is measured. */
  readonly measures_context: boolean;
  /** What happens to secrets in its requests. Undefined if the gateway decides. */
  readonly secrets?: SecretPolicy;
  readonly created_at: string;
  readonly rotated_at?: string;
  readonly expires_at?: string;
}

/** The secret is returned only once and never stored. */
export type NewKey = KeyReport & { readonly key: string };

/** Undefined members stay unchanged; `null` removes a term. */
export interface KeyChanges {
  readonly name?: string;
  readonly team?: string | null;
  readonly budgets?: readonly Budget[] | null;
  readonly limits?: KeyLimits | null;
  readonly models?: readonly string[] | null;
  readonly expiresAt?: number | null;
  readonly lowersLimits?: boolean;
  readonly measuresContext?: boolean;
  readonly secrets?: SecretPolicy | null;
}

const FIND_TEAM = '(SELECT id FROM team WHERE (id = $4 OR lower(name) = lower($4)) AND revoked_at IS NULL)';

const CREATE = `
  WITH changed AS (
    INSERT INTO api_key (id, name, digest, team, terms, expires_at)
    VALUES ($1, $2, decode($3, 'base64'), ${FIND_TEAM}, $5, to_timestamp($6::float8 / 1000)) RETURNING id
  ), ${replaceBudgets('$7')} SELECT id FROM changed`;

const CHANGE = `
  WITH changed AS (
    UPDATE api_key SET name = $2, team = ${FIND_TEAM}, terms = $5, expires_at = to_timestamp($6::float8 / 1000),
      digest = coalesce(decode($3, 'base64'), digest), rotated_at = CASE WHEN $3 IS NULL THEN rotated_at ELSE now() END
    WHERE id = $1 AND revoked_at IS NULL RETURNING id
  ), ${replaceBudgets('$7')} SELECT id FROM changed`;

/**
 * Manages the keys of the database. Keys are identified by ID or name. The database notifies all replicas of each
 * change.
 */
export class KeyAdmin {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  /**
   * @throws {AdminError}
   * @throws {LocalKeyError}
   */
  async create(name: string, { team, ...terms }: Omit<KeyChanges, 'name'>): Promise<NewKey> {
    const id = randomUUID();
    const secret = createLocalKeySecret();
    const checked = checkedTerms({ lowersLimits: true, ...withoutNull(terms) }, Date.now());
    await this.#write(CREATE, { id, name, terms: checked, team: team ?? undefined, digest: digestOf(secret) });
    return { ...(await this.show(id)), key: secret };
  }

  async list(): Promise<readonly KeyReport[]> {
    const keys = await this.#read('ORDER BY lower(k.name)');
    const budgets = await reportBudgets(
      this.#connection,
      keys.map(({ id }) => id),
    );
    return keys.map((key) => report(key, budgets.get(key.id)));
  }

  /** @throws {AdminError} `unknown` */
  async show(idOrName: string): Promise<KeyReport> {
    const key = await this.#find(idOrName);
    const budgets = await reportBudgets(this.#connection, [key.id]);
    return report(key, budgets.get(key.id));
  }

  /**
   * @throws {AdminError}
   * @throws {LocalKeyError}
   */
  async change(idOrName: string, changes: KeyChanges): Promise<KeyReport> {
    const key = await this.#find(idOrName);
    const { name, team, ...changedTerms } = changes;
    // An expired key can be changed without setting a new expiry date.
    const from = changes.expiresAt === undefined ? Number.NEGATIVE_INFINITY : Date.now();
    await this.#write(CHANGE, {
      id: key.id,
      name: name ?? key.name,
      terms: checkedTerms(withoutNull({ ...key, ...changedTerms }), from),
      team: team === undefined ? key.team?.id : (team ?? undefined),
    });
    return this.show(key.id);
  }

  /**
   * Replaces the secret of a key. The earlier secret is no longer valid.
   * @throws {AdminError} `unknown`
   */
  async rotate(idOrName: string): Promise<NewKey> {
    const key = await this.#find(idOrName);
    const secret = createLocalKeySecret();
    await this.#write(CHANGE, { ...key, terms: key, team: key.team?.id, digest: digestOf(secret) });
    return { ...(await this.show(key.id)), key: secret };
  }

  /**
   * Revokes a key. Its exchanges stay in the ledger.
   * @throws {AdminError} `unknown`
   */
  async revoke(idOrName: string): Promise<void> {
    const { id } = await this.#find(idOrName);
    await this.#connection.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [id]);
  }

  async #write(statement: string, key: WrittenKey): Promise<void> {
    const { id, terms, team, digest } = key;
    const name = checkedName(key.name, []);
    if (team !== undefined) await this.#checkTeam(team);
    const values = [id, name, digest ?? null, team ?? null, storedTerms(terms), terms.expiresAt ?? null];
    await withName('key', name, () => this.#connection.query(statement, [...values, budgetRows(terms.budgets)]));
  }

  async #checkTeam(team: string): Promise<void> {
    const rows = await this.#connection.query(
      'SELECT 1 FROM team WHERE (id = $1 OR lower(name) = lower($1)) AND revoked_at IS NULL',
      [team],
    );
    if (rows.length === 0) throw new AdminError('unknown', `There is no team "${team}".`);
  }

  async #find(idOrName: string): Promise<KeyDetails> {
    const [key] = await this.#read('AND (k.id = $1 OR lower(k.name) = lower($1)) ORDER BY k.id = $1 DESC', [idOrName]);
    if (key === undefined) throw new AdminError('unknown', `There is no key "${idOrName}".`);
    return key;
  }

  async #read(condition: string, values: readonly unknown[] = []): Promise<readonly KeyDetails[]> {
    const rows = await this.#connection.query(`${SELECT_KEYS} ${condition}`, values);
    return rows.map((row) => readKey(row).details);
  }
}

/** Removes the terms that are null. */
function withoutNull(terms: Omit<KeyChanges, 'name' | 'team'>): KeyTerms {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null)) as KeyTerms;
}

interface WrittenKey {
  readonly id: string;
  readonly name: string;
  readonly terms: KeyTerms;
  readonly team?: string | undefined;
  /** Digest of the new secret. Undefined if the secret does not change. */
  readonly digest?: string;
}

function report(key: KeyDetails, budgets: readonly BudgetReport[] = []): KeyReport {
  const at = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  return defined({
    id: key.id,
    name: key.name,
    team: key.team?.name,
    budgets,
    limits: key.limits,
    models: key.models,
    lowers_limits: key.lowersLimits === true,
    measures_context: key.measuresContext !== false,
    secrets: key.secrets,
    created_at: new Date(key.createdAt).toISOString(),
    rotated_at: at(key.rotatedAt),
    expires_at: at(key.expiresAt),
  });
}
