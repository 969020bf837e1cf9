import * as z from 'zod/mini';
import type { Connection } from './connection.ts';
import { databaseError } from './databaseError.ts';

/** What a request may use at most, and whose it is. */
export interface ReservationRequest {
  /** Of the exchange. */
  readonly id: string;
  readonly key: string;
  readonly team: string | null;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Billionths of a US dollar; `null` where the price is not known. */
  readonly cost: number | null;
}

const shortage = z.object({
  /** The id of the key or the team whose budget does not cover the request. */
  scope: z.string(),
  unit: z.enum(['usd', 'tokens']),
  period: z.enum(['total', 'daily', 'monthly']),
  amount: z.number(),
  left: z.number(),
  reserved: z.number(),
  /** `null` where the price is not known. */
  needed: z.nullable(z.number()),
  /** Milliseconds since the epoch. */
  renewsAt: z.nullable(z.number()),
});

/** Why a budget does not cover a request, in the unit of the budget: billionths of a US dollar, or tokens. */
export type Shortage = z.infer<typeof shortage>;

const answer = z.array(z.object({ id: z.string(), refusal: z.nullable(shortage) }));

const answerOfOne = z.array(z.object({ refusal: z.nullable(shortage) }));

interface Waiting {
  readonly request: ReservationRequest;
  readonly admit: (shortage: Shortage | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** More would keep the accounts locked for long. */
const MAX_BATCH = 200;

/**
 * Sets aside what requests may use. One statement is under way at a time, with all in it that waited, so a request takes
 * one round trip, or two when it comes while one is under way.
 */
export class Reserver {
  readonly #connection: Connection;
  readonly #replica: string;
  #waiting: Waiting[] = [];
  #isUnderWay = false;

  constructor(connection: Connection, replica: string) {
    this.#connection = connection;
    this.#replica = replica;
  }

  /**
   * @returns why a budget does not cover it; `undefined` when it was set aside.
   * @throws {DatabaseError} when nobody knows whether it was set aside.
   */
  reserve(request: ReservationRequest): Promise<Shortage | undefined> {
    return new Promise((admit, fail) => {
      this.#waiting.push({ request, admit, fail });
      if (!this.#isUnderWay) void this.#work();
    });
  }

  /**
   * Sets aside as much again for another attempt.
   * @param attempts how many it was set aside for before.
   * @returns as {@link reserve}.
   * @throws as {@link reserve}.
   */
  async reserveMore(request: ReservationRequest, attempts: number): Promise<Shortage | undefined> {
    const values = [this.#replica, JSON.stringify({ ...request, attempts })];
    const rows = await this.#query('SELECT reserve_more_2($1, $2) AS refusal', values);
    return answerOfOne.parse(rows)[0]?.refusal ?? undefined;
  }

  async #work(): Promise<void> {
    this.#isUnderWay = true;
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, MAX_BATCH));
    this.#isUnderWay = false;
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      const requests = JSON.stringify(batch.map(({ request }) => request));
      const rows = await this.#ask(requests);
      const refusals = new Map(answer.parse(rows).map(({ id, refusal }) => [id, refusal ?? undefined]));
      for (const { request, admit } of batch) admit(refusals.get(request.id));
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  #ask(requests: string): Promise<unknown> {
    return this.#query('SELECT id, refusal FROM reserve_1($1, $2)', [this.#replica, requests]);
  }

  /** What is lost on a broken connection is sent once more: what was set aside already stays so. */
  async #query(statement: string, values: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#connection.query(statement, values);
    } catch (error) {
      if (databaseError(error).problem !== 'away') throw error;
      return this.#connection.query(statement, values);
    }
  }
}
