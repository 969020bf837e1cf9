import { mkdirSync } from 'node:fs';
import * as z from 'zod/mini';
import { errorText } from '../../../../src/display/errors.ts';
import type { Queues } from '../../../../src/gateway/rateLimits/requestQueues.ts';
import {
  type CountedModel,
  MAX_RECALLED,
  OutputSpeeds,
  type RecalledSpeeds,
  speedOf,
} from '../../../../src/ledger/outputSpeeds.ts';
import { type Clock, systemClock } from '../../../../src/service/clock.ts';
import { Announcements } from './announcements.ts';
import { DatabaseConnection } from './connection.ts';
import { DatabaseError } from './databaseError.ts';
import { Housekeeping } from './housekeeping.ts';
import { KeyDirectory } from './keyDirectory.ts';
import { Lease } from './lease.ts';
import { Reserver } from './reserver.ts';
import { RowWriter } from './rowWriter.ts';
import { migrate, readSessionKey } from './schema.ts';
import { type LeftBehind, leftBehind, Spool } from './spool.ts';
import { TeamBooks } from './teamBooks.ts';
import { TeamRefusals } from './teamRefusals.ts';
import { TeamResponseStore } from './teamResponseStore.ts';
import { TeamQueues } from './turns/teamQueues.ts';
import { TurnBatches } from './turns/turnBatches.ts';
import { writable } from './writableText.ts';

const rows = z.array(z.object({ upstream: z.string(), model: z.string(), answers: z.array(z.number()) }));

/** So many models are read at the start: those that were used last. */
const MAX_MODELS = 1_000;

export interface TeamDatabaseOptions {
  /** Such as `postgres://user:password@host/database`. */
  readonly address: string;
  /** Folder for rows that are not in the database yet, shared by the replicas of a machine. */
  readonly spool: string;
  readonly maxSpoolBytes?: number;
  /** Whether keys with a budget are allowed while the database is away. */
  readonly allowsWhenAway?: boolean;
  /** Clock for requests that wait. Default: the system's clock. */
  readonly clock?: Clock;
  /** Called with a sentence for the user. */
  readonly onProblem: (message: string) => void;
}

/** What replicas share through the database: keys with their limits, books, previous responses, and refusals. */
export class TeamDatabase {
  readonly keys: KeyDirectory;
  readonly books: TeamBooks;
  readonly queues: Queues;
  readonly responses: TeamResponseStore;
  readonly refusals: TeamRefusals;
  readonly #asking: DatabaseConnection;
  readonly #writing: DatabaseConnection;
  readonly #reports: DatabaseConnection;
  readonly #onProblem: (message: string) => void;
  readonly #spool: Spool;
  readonly #writer: RowWriter;
  readonly #lease: Lease;
  readonly #turns: TurnBatches;
  #housekeeping: Housekeeping | undefined;

  private constructor(connections: TeamConnections, spool: Spool, shared: Shared, options: TeamDatabaseOptions) {
    const { onProblem, address, allowsWhenAway = false, clock = systemClock } = options;
    const { replica } = spool;
    const announcements = new Announcements(address);
    this.#onProblem = onProblem;
    this.#asking = connections.asking;
    this.#writing = connections.writing;
    this.#reports = new DatabaseConnection({ address, name: 'reports' });
    this.#spool = spool;
    this.#writer = new RowWriter({
      connection: this.#writing,
      replica,
      onSettled: (ids) => spool.settle(ids),
      onProblem,
    });
    this.keys = new KeyDirectory({ announcements, connection: this.#asking, onProblem });
    this.#turns = new TurnBatches({ connection: this.#asking, replica, clock, onProblem });
    announcements.on('model_access_turns', (key) => this.#turns.wake(key));
    this.queues = new TeamQueues(this.#turns, clock);
    this.books = new TeamBooks({
      connection: this.#asking,
      reserver: new Reserver(this.#asking, replica),
      writer: this.#writer,
      spool,
      findKey: (id) => this.keys.find(id),
      ...shared,
      allowsWhenAway,
      isAway: () => this.#writer.isAway || this.#lease.isAway,
      onProblem,
    });
    this.responses = new TeamResponseStore(this.#asking, onProblem);
    this.refusals = new TeamRefusals(announcements, this.#reports, onProblem);
    this.#lease = new Lease({
      connection: this.#writing,
      replica,
      isOver: (id) => this.books.isOver(id),
      onRenewed: async () => {
        await this.#turns.sweep(this.#writing);
        await shared.speeds.share(this.#writing);
      },
      onProblem,
    });
  }

  /**
   * Migrates the database if necessary, enters the rows that dead replicas of this machine have left, and reads the
   * keys.
   * @throws {DatabaseError}
   */
  static async open(options: TeamDatabaseOptions): Promise<TeamDatabase> {
    const { address } = options;
    const connections = {
      asking: new DatabaseConnection({ address, name: 'budgets' }),
      writing: new DatabaseConnection({ address, name: 'ledger' }),
    };
    try {
      await migrate(connections.writing);
      await enterLeftBehind(connections.writing, options);
      const sessionKey = await readSessionKey(connections.writing);
      const speeds = await TeamSpeeds.read(connections.writing);
      const team = new TeamDatabase(connections, new Spool(spoolOptions(options)), { sessionKey, speeds }, options);
      await team.#begin();
      return team;
    } catch (error) {
      await Promise.all([connections.asking.close(), connections.writing.close()]);
      throw error;
    }
  }

  /** Connection for administrators' queries and housekeeping, which can take longer than a request may wait. */
  get reports(): DatabaseConnection {
    return this.#reports;
  }

  /** Writes the queued rows if the database is available. Otherwise, they stay in the spool. */
  async close(): Promise<void> {
    await this.#housekeeping?.close();
    await this.responses.close();
    await this.refusals.close();
    await this.#turns.close();
    await this.books.close();
    if (this.#writer.waiting === 0) await this.#lease.end();
    else this.#lease.stop();
    this.#spool.end();
    await this.keys.close();
    await Promise.all([this.#asking.close(), this.#writing.close(), this.#reports.close()]);
  }

  async #begin(): Promise<void> {
    await this.#lease.begin();
    await this.keys.begin();
    this.#housekeeping = new Housekeeping({ connection: this.#reports, onProblem: this.#onProblem });
  }
}

interface Shared {
  readonly sessionKey: Uint8Array;
  readonly speeds: TeamSpeeds;
}

interface TeamConnections {
  readonly asking: DatabaseConnection;
  readonly writing: DatabaseConnection;
}

function spoolOptions({ spool, maxSpoolBytes, onProblem }: TeamDatabaseOptions) {
  return { folder: spool, ...(maxSpoolBytes !== undefined && { maxBytes: maxSpoolBytes }), onProblem };
}

function openSpools(folder: string, onProblem: (message: string) => void): readonly LeftBehind[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return leftBehind(folder, onProblem);
  } catch (error) {
    throw new DatabaseError('unfit', `The spool ${folder} cannot be used: ${errorText(error)}.`, { cause: error });
  }
}

/** Enters the rows of dead replicas, then releases their remaining reservations, for which no upstream was asked. */
async function enterLeftBehind(
  connection: DatabaseConnection,
  { spool, onProblem }: TeamDatabaseOptions,
): Promise<void> {
  for (const { replica, rows, remove } of openSpools(spool, onProblem)) {
    const writer = new RowWriter({ connection, replica, onSettled: () => undefined, onProblem });
    for (const row of rows) writer.add(row);
    await writer.flush();
    writer.close();
    if (writer.waiting > 0) continue;
    await connection.query('SELECT release_replica($1)', [replica]);
    remove();
  }
}

/** The speeds of models, learned by all replicas. A replica knows what others have learned until it started. */
class TeamSpeeds extends OutputSpeeds {
  /** Tokens per second, of answers that are not in the database yet. */
  #learned = new Map<string, { readonly model: CountedModel; readonly answers: number[] }>();

  /** @throws {DatabaseError} */
  static async read(connection: DatabaseConnection): Promise<TeamSpeeds> {
    const found = rows.parse(
      await connection.query(`SELECT upstream, model, answers FROM output_speed ORDER BY at DESC LIMIT ${MAX_MODELS}`),
    );
    const known = new Map(found.map(({ answers, ...model }) => [nameOf(model), answers]));
    const recall: RecalledSpeeds = (model) => known.get(nameOf(model)) ?? [];
    return new TeamSpeeds(recall);
  }

  override learn(model: CountedModel, outputTokens: number, ms: number): void {
    super.learn(model, outputTokens, ms);
    const speed = speedOf(outputTokens, ms);
    if (speed === undefined) return;
    const learned = this.#learned.get(nameOf(model));
    if (learned === undefined) this.#learned.set(nameOf(model), { model, answers: [speed] });
    else if (learned.answers.push(speed) > MAX_RECALLED) learned.answers.shift();
  }

  /**
   * Writes what was learned since the last time, with one statement. If the database is away, it is forgotten: other
   * replicas then know less, and expect models to be as fast as before.
   * @throws {DatabaseError}
   */
  async share(connection: DatabaseConnection): Promise<void> {
    if (this.#learned.size === 0) return;
    const given = [...this.#learned.values()].map(({ model, answers }) => ({
      upstream: writable(model.upstream),
      model: writable(model.model),
      answers,
    }));
    this.#learned = new Map();
    await connection.query('SELECT add_speeds($1)', [JSON.stringify(given)]);
  }
}

function nameOf({ upstream, model }: CountedModel): string {
  return `${writable(upstream)} ${writable(model)}`;
}
