import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Budget } from '../../../../../src/gateway/keys/issuedKey.ts';
import { budgetSchema, checkedName, checkedTerms } from '../../../../../src/gateway/keys/keyTerms.ts';
import type { DatabaseConnection } from '../connection.ts';
import { BUDGETS_OF, readBudgets } from '../storedKey.ts';
import { AdminError, withName } from './adminError.ts';
import { type BudgetReport, budgetRows, replaceBudgets, reportBudgets } from './budgetRows.ts';

/** A team in the API for administrators. */
export interface TeamReport {
  readonly id: string;
  readonly name: string;
  readonly keys: number;
  readonly budgets: readonly BudgetReport[];
  /** ISO 8601. */
  readonly created_at: string;
}

/** Undefined members stay unchanged; `null` removes the budgets. */
export interface TeamChanges {
  readonly name?: string;
  readonly budgets?: readonly Budget[] | null;
}

const storedTeam = z.object({
  id: z.string(),
  name: z.string(),
  keys: z.number(),
  created_at: z.date(),
  budgets: z.nullable(z.array(budgetSchema)),
});

const SELECT_TEAMS = `
  SELECT t.id, t.name, t.created_at, ${BUDGETS_OF('t.id')} AS budgets,
    (SELECT count(*) FROM api_key k WHERE k.team = t.id AND k.revoked_at IS NULL) AS keys
  FROM team t WHERE t.revoked_at IS NULL`;

/** Manages the teams of the database. Teams are identified by ID or name. */
export class TeamAdmin {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  /**
   * @throws {AdminError}
   * @throws {LocalKeyError}
   */
  async create(name: string, budgets?: readonly Budget[]): Promise<TeamReport> {
    const id = randomUUID();
    await this.#write('INSERT INTO team (id, name) VALUES ($1, $2) RETURNING id', id, name, budgets);
    return this.show(id);
  }

  async list(): Promise<readonly TeamReport[]> {
    return this.#report(await this.#read('ORDER BY lower(t.name)'));
  }

  /** @throws {AdminError} `unknown` */
  async show(idOrName: string): Promise<TeamReport> {
    const [report] = await this.#report([await this.#find(idOrName)]);
    if (report === undefined) throw new AdminError('unknown', `There is no team "${idOrName}".`);
    return report;
  }

  /**
   * @throws {AdminError}
   * @throws {LocalKeyError}
   */
  async change(idOrName: string, { name, budgets }: TeamChanges): Promise<TeamReport> {
    const team = await this.#find(idOrName);
    const kept = budgets === undefined ? readBudgets(team.budgets) : (budgets ?? undefined);
    await this.#write('UPDATE team SET name = $2 WHERE id = $1 RETURNING id', team.id, name ?? team.name, kept);
    return this.show(team.id);
  }

  /**
   * Revokes a team and thereby its keys. Their exchanges stay in the ledger.
   * @throws {AdminError} `unknown`
   */
  async revoke(idOrName: string): Promise<void> {
    const { id } = await this.#find(idOrName);
    await this.#connection.query('UPDATE team SET revoked_at = now() WHERE id = $1', [id]);
  }

  async #write(statement: string, id: string, name: string, budgets: readonly Budget[] | undefined): Promise<void> {
    const checked = checkedName(name, []);
    const terms = checkedTerms(budgets === undefined ? {} : { budgets }, Date.now());
    const text = `WITH changed AS (${statement}), ${replaceBudgets('$3')} SELECT id FROM changed`;
    await withName('team', checked, () => this.#connection.query(text, [id, checked, budgetRows(terms.budgets)]));
  }

  async #find(idOrName: string): Promise<z.infer<typeof storedTeam>> {
    const [team] = await this.#read('AND (t.id = $1 OR lower(t.name) = lower($1)) ORDER BY t.id = $1 DESC', [idOrName]);
    if (team === undefined) throw new AdminError('unknown', `There is no team "${idOrName}".`);
    return team;
  }

  async #read(condition: string, values: readonly unknown[] = []): Promise<z.infer<typeof storedTeam>[]> {
    const rows = await this.#connection.query(`${SELECT_TEAMS} ${condition}`, values);
    return rows.map((row) => storedTeam.parse(row));
  }

  async #report(teams: readonly z.infer<typeof storedTeam>[]): Promise<readonly TeamReport[]> {
    const budgets = await reportBudgets(
      this.#connection,
      teams.map(({ id }) => id),
    );
    return teams.map(({ id, name, keys, created_at }) => ({
      ...{ id, name, keys, created_at: created_at.toISOString() },
      budgets: budgets.get(id) ?? [],
    }));
  }
}
