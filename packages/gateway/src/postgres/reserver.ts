import * as z from 'zod/mini';
import type { DatabaseConnection, PreparedStatement } from './connection.ts';

/** The maximum usage of a request, with its key and team. */
export interface ReservationRequest {
  /** ID of the exchange. */
  readonly id: string;
  readonly key: string;
  readonly team: string | null;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Billionths of a US dollar. `null` if the price is unknown. */
  readonly cost: number | null;
  /** True if it must not take more than half of what is left, because it can be sent with a lower limit. */
  readonly lowers?: true;
}

const shortage = z.object({
  /** ID of the key or team whose budget does not cover the request. */
  scope: z.string(),
  unit: z.enum(['usd', 'tokens']),
  period: z.enum(['total', 'daily', 'monthly']),
  amount: z.number(),
  left: z.number(),
  reserved: z.number(),
  /** `null` if the price is unknown. */
  needed: z.nullable(z.number()),
  /** Milliseconds since the epoch. */
  renewsAt: z.nullable(z.number()),
});

/**
 * Why a budget does not cover a request. Amounts are in the unit of the budget: billionths of a US dollar, or tokens.
 */
export type TeamShortage = z.infer<typeof shortage>;

const answer = z.array(z.object({ id: z.string(), refusal: z.nullable(shortage) }));

const answerOfOne = z.array(z.object({ refusal: z.nullable(shortage) }));

interface Waiting {
  readonly request: ReservationRequest;
  readonly admit: (shortage: TeamShortage | undefined) => void;
  readonly fail: (error: unknown) => void;
}

const RESERVE: PreparedStatement = { name: 'reserve', text: 'SELECT id, refusal FROM reserve($1, $2)' };

/** Larger batches would lock the accounts for too long. */
const MAX_BATCH = 200;

/**
 * Reserves the maximum usage of requests. Only one statement runs at a time, and it contains all requests that waited
 * for it. A request therefore takes one round trip, or two if it arrives while a statement runs.
 */
export class Reserver {
  readonly #connection: DatabaseConnection;
  readonly #replica: string;
  #waiting: Waiting[] = [];
  #isUnderWay = false;

  constructor(connection: DatabaseConnection, replica: string) {
    this.#connection = connection;
    this.#replica = replica;
  }

  /**
   * @returns the shortage if a budget does not cover the request, `undefined` if the amount was reserved.
   * @throws {DatabaseError} if it is unknown whether the amount was reserved.
   */
  reserve(request: ReservationRequest): Promise<TeamShortage | undefined> {
    return new Promise((admit, fail) => {
      this.#waiting.push({ request, admit, fail });
      if (!this.#isUnderWay) void this.#work();
    });
  }

  /**
   * Reserves the same amount again for another attempt.
   * @param attempts the number of attempts already reserved.
   * @returns as {@link reserve}.
   * @throws as {@link reserve}.
   */
  async reserveMore(request: ReservationRequest, attempts: number): Promise<TeamShortage | undefined> {
    const values = [this.#replica, JSON.stringify({ ...request, attempts })];
    const rows = await this.#connection.queryAgain('SELECT reserve_more($1, $2) AS refusal', values);
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
      const rows = await this.#connection.queryAgain(RESERVE, [this.#replica, requests]);
      const refusals = new Map(answer.parse(rows).map(({ id, refusal }) => [id, refusal ?? undefined]));
      for (const { request, admit } of batch) admit(refusals.get(request.id));
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }
}
