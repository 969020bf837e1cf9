import type { Clock } from '../../../../../src/service/clock.ts';
import type { DatabaseConnection } from '../connection.ts';
import { reportUnlessAway } from '../databaseError.ts';
import { type EndedTurn, readOldTurns, type TurnBlock, takeTurns } from './turnStatements.ts';

/** How often a blocked key asks again, in case an announcement was missed. */
const POLL_MS = 1_000;
/** Maximum number of requests of a key in one statement. */
const MAX_ASKED = 32;

/** A request that waits for its turn. */
export interface WaitingTurn {
  /** ID of the exchange. */
  readonly id: string;
  readonly key: string;
  /** An estimate. */
  readonly tokens: number;
  /** Whole milliseconds of the clock for durations. */
  readonly since: number;
  /** Called when the request may be sent. */
  admit(): void;
  /** Called when the database cannot be asked. The request no longer waits here. */
  abandon(): void;
}

/** The requests of one key that wait in this replica, in the order in which they arrived. */
interface Line {
  readonly waiting: Set<WaitingTurn>;
  /** What the first request waits for, and those behind it. Undefined until the database has reported it. */
  block?: TurnBlock;
  /** Set while the first request is blocked. Stops the timer after which it is asked again. */
  stopTimer?: (() => void) | undefined;
  /** Whether a place may have become free since the database was last asked. */
  isStale?: boolean;
}

export interface TurnBatchesOptions {
  readonly connection: DatabaseConnection;
  readonly replica: string;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/**
 * Asks the database for turns. Only one statement runs at a time, and it contains all turns that were asked for or ended
 * meanwhile. A blocked key asks again when a place may be free: when one of its requests has ended here, when another
 * replica announces it, after the time that the database reported, and every second.
 */
export class TurnBatches {
  readonly #options: TurnBatchesOptions;
  readonly #lines = new Map<string, Line>();
  readonly #running = new Set<string>();
  #ended = new Map<string, EndedTurn>();
  #stopRetry: (() => void) | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: TurnBatchesOptions) {
    this.#options = options;
  }

  /** Adds a request at the end of the line of its key. */
  ask(turn: WaitingTurn): void {
    const line = this.#lines.get(turn.key) ?? { waiting: new Set() };
    this.#lines.set(turn.key, line);
    line.waiting.add(turn);
    this.#workSoon();
  }

  /** Returns what a request waits for, if the database has reported it. */
  blockOf({ key }: WaitingTurn): TurnBlock | undefined {
    return this.#lines.get(key)?.block;
  }

  /** Removes a request that no longer waits. */
  leave(turn: WaitingTurn): void {
    this.#remove(turn);
    this.end({ id: turn.id, key: turn.key, is_gone: true });
  }

  /** Frees the place of a request, and later corrects its tokens. */
  end(ended: EndedTurn): void {
    this.#running.delete(ended.id);
    this.#keep(ended);
    this.wake(ended.key);
    this.#workSoon();
  }

  /** Called when a place of this key may be free. */
  wake(key: string): void {
    const line = this.#lines.get(key);
    if (line === undefined) return;
    line.isStale = true;
    line.stopTimer?.();
    line.stopTimer = undefined;
    this.#workSoon();
  }

  /**
   * Ends turns that the database has given but whose answer was lost. Called from time to time.
   * @throws {DatabaseError}
   */
  async sweep(connection: DatabaseConnection): Promise<void> {
    const old = await readOldTurns(connection, this.#options.replica);
    for (const turn of old) if (!this.#running.has(turn.id)) this.end(turn);
  }

  /** Waits until the database has the turns that are over. If it is away, they expire with the replica. */
  async close(): Promise<void> {
    await this.#working;
    this.#isClosed = true;
    this.#stopRetry?.();
    for (const { stopTimer } of this.#lines.values()) stopTimer?.();
  }

  #keep(ended: EndedTurn): void {
    this.#ended.set(ended.id, merged(this.#ended.get(ended.id), ended));
  }

  /** What happens in the same moment goes in the same statement. */
  #workSoon(): void {
    if (this.#isClosed) return;
    this.#working ??= Promise.resolve()
      .then(() => this.#work())
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #work(): Promise<void> {
    while (!this.#isClosed) {
      const asked = this.#nextAsked();
      const ended = this.#stopRetry === undefined ? this.#ended : new Map<string, EndedTurn>();
      if (asked.length === 0 && ended.size === 0) return;
      if (ended === this.#ended) this.#ended = new Map();
      await this.#send(asked, ended);
    }
  }

  #nextAsked(): readonly WaitingTurn[] {
    const open = [...this.#lines.values()].filter(({ stopTimer }) => stopTimer === undefined);
    for (const line of open) line.isStale = false;
    return open.flatMap(({ waiting }) => [...waiting].slice(0, MAX_ASKED));
  }

  async #send(asked: readonly WaitingTurn[], ended: ReadonlyMap<string, EndedTurn>): Promise<void> {
    const { connection, replica, clock, onProblem } = this.#options;
    const now = Math.round(clock.elapsed());
    const asking = asked.map(({ id, key, tokens, since }) => ({ id, key, tokens, waited: now - since }));
    try {
      const blocks = await takeTurns(connection, replica, asking, [...ended.values()]);
      for (const turn of asked) this.#answer(turn, blocks.get(turn.id));
    } catch (error) {
      reportUnlessAway(error, onProblem);
      for (const each of ended.values()) this.#ended.set(each.id, merged(each, this.#ended.get(each.id) ?? each));
      this.#retryLater();
      for (const turn of asked) this.#abandon(turn);
    }
  }

  #answer(turn: WaitingTurn, block: TurnBlock | undefined): void {
    const line = this.#lines.get(turn.key);
    // It has left meanwhile, and its end goes in the next statement.
    if (line === undefined || !line.waiting.has(turn)) return;
    if (block === undefined) {
      this.#remove(turn);
      this.#running.add(turn.id);
      turn.admit();
      return;
    }
    line.block = block;
    if (line.isStale) return;
    const ms = Math.min(block.ms ?? POLL_MS, POLL_MS);
    line.stopTimer ??= this.#options.clock.after(ms, () => this.wake(turn.key));
  }

  /** The database may have given the turn nevertheless. */
  #abandon(turn: WaitingTurn): void {
    if (!this.#lines.get(turn.key)?.waiting.has(turn)) return;
    this.#remove(turn);
    this.#keep({ id: turn.id, key: turn.key, is_gone: true });
    turn.abandon();
  }

  #remove(turn: WaitingTurn): void {
    const line = this.#lines.get(turn.key);
    if (line === undefined) return;
    line.waiting.delete(turn);
    if (line.waiting.size > 0) return;
    line.stopTimer?.();
    this.#lines.delete(turn.key);
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    this.#stopRetry ??= this.#options.clock.after(POLL_MS, () => {
      this.#stopRetry = undefined;
      this.#workSoon();
    });
  }
}

function merged(earlier: EndedTurn | undefined, later: EndedTurn): EndedTurn {
  return {
    ...later,
    tokens: later.tokens ?? earlier?.tokens,
    is_gone: later.is_gone || earlier?.is_gone === true,
  };
}
