import * as z from 'zod/mini';
import {
  type CountedModel,
  MAX_RECALLED,
  OutputSpeeds,
  type RecalledSpeeds,
  speedOf,
} from '../../../../src/ledger/outputSpeeds.ts';
import type { DatabaseConnection } from './connection.ts';
import { writable } from './writableText.ts';

const rows = z.array(z.object({ upstream: z.string(), model: z.string(), answers: z.array(z.number()) }));

/** So many models are read at the start: those that were used last. */
const MAX_MODELS = 1_000;

/** The speeds of models, learned by all replicas. A replica knows what others have learned until it started. */
export class TeamSpeeds extends OutputSpeeds {
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
