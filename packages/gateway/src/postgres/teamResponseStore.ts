import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../../../../src/formats/conversation.ts';
import { outputItems, type ResponsesItem, responseId } from '../../../../src/formats/responses/index.ts';
import {
  type ContinuableConversation,
  type FoundResponses,
  type KeptResponse,
  MAX_RECALLED,
  type ResponseReferences,
  type ResponseStore,
} from '../../../../src/gateway/core/responseStore.ts';
import type { DatabaseConnection, DatabaseRow } from './connection.ts';
import { databaseError } from './databaseError.ts';

/**
 * A client that has received an answer can send its next request to another replica before the answer is written. In
 * milliseconds.
 */
const RETRIES = [50, 150, 400];

/**
 * Selects the conversation up to an answer, starting with its first request. Each row has what one request and its
 * answer added. Upstreams choose the IDs, so an answer could be its own predecessor: the query would never end. What is
 * too long is not read.
 */
const CHAIN = `
  WITH RECURSIVE chain AS (
    SELECT r.*, 1 AS depth FROM response r WHERE r.key = $1 AND r.id = $2
    UNION ALL
    SELECT r.*, c.depth + 1 FROM response r JOIN chain c ON r.key = c.key AND r.id = c.parent
  ) CYCLE id SET is_repeated USING path,
  size AS (SELECT sum(octet_length(messages)) + max(octet_length(context)) <= $3 AS fits FROM chain)
  SELECT id, parent, CASE WHEN fits AND depth = 1 THEN context END AS context, CASE WHEN fits THEN messages END AS messages
  FROM chain, size ORDER BY depth DESC`;

const ITEMS = `
  SELECT i.id, CASE WHEN sum(octet_length(i.item)) OVER () <= $3 THEN i.item END AS item
  FROM response_item i WHERE i.key = $1 AND i.id = ANY ($2)`;

const KEEP = `
  WITH kept AS (
    INSERT INTO response (key, id, parent, context, messages, at) VALUES ($1, $2, $3, $4, $5, now())
    ON CONFLICT (key, id) DO UPDATE
      SET parent = excluded.parent, context = excluded.context, messages = excluded.messages, at = excluded.at
  )
  INSERT INTO response_item (key, id, item, at)
    SELECT $1, i ->> 'id', i ->> 'item', now() FROM json_array_elements($6::json) i
    ON CONFLICT (key, id) DO UPDATE SET item = excluded.item, at = excluded.at`;

/**
 * Stores answers in the database, so that any replica can continue them. The JSON is stored in text columns, because
 * columns of type `jsonb` reject some characters that a model can write.
 */
export class TeamResponseStore implements ResponseStore {
  readonly #connection: DatabaseConnection;
  readonly #onProblem: (message: string) => void;
  /** The IDs in conversations found in the database. A continuation stores only what it adds to one. */
  readonly #ids = new WeakMap<ContinuableConversation, readonly string[]>();
  /** Answers that are being written. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(connection: DatabaseConnection, onProblem: (message: string) => void) {
    this.#connection = connection;
    this.#onProblem = onProblem;
  }

  async find(localKeyId: string, { previousResponseId, itemIds }: ResponseReferences): Promise<FoundResponses> {
    const chain = previousResponseId === undefined ? [] : await this.#chain(localKeyId, previousResponseId);
    const rows = itemIds.length === 0 ? [] : await this.#connection.query(ITEMS, [localKeyId, itemIds, MAX_RECALLED]);
    if (chain.some(({ messages }) => messages === null) || rows.some(({ item }) => item === null)) {
      return { items: new Map(), isTooLong: true };
    }
    const conversation = this.#read(chain);
    const items = new Map(rows.map(({ id, item }) => [String(id), JSON.parse(String(item)) as ResponsesItem]));
    return { items, ...(conversation !== undefined && { conversation }) };
  }

  keep(localKeyId: string, response: KeptResponse): void {
    const id = responseId(response.answer.id);
    const written = this.#write(localKeyId, id, response).catch((error: unknown) =>
      this.#onProblem(`${databaseError(error).message} The answer ${id} cannot be continued.`),
    );
    const name = JSON.stringify([localKeyId, id]);
    this.#underWay.set(name, written);
    void written.then(() => this.#underWay.delete(name));
  }

  /** Waits for the answers that are being written. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** Returns the rows of a conversation, or none if the answer is unknown. */
  async #chain(key: string, id: string): Promise<readonly DatabaseRow[]> {
    await this.#underWay.get(JSON.stringify([key, id]));
    for (const pause of [0, ...RETRIES]) {
      if (pause > 0) await delay(pause);
      const rows = await this.#connection.query(CHAIN, [key, id, MAX_RECALLED]);
      if (rows.length > 0) return rows;
    }
    return [];
  }

  /** If the beginning of a conversation was pruned, the rest cannot be used. */
  #read(rows: readonly DatabaseRow[]): ContinuableConversation | undefined {
    if (rows[0]?.parent !== null) return undefined;
    const messages = rows.flatMap((row) => JSON.parse(String(row.messages)) as Message[]);
    const { system, inputTools } = JSON.parse(String(rows.at(-1)?.context)) as Omit<
      ContinuableConversation,
      'messages'
    >;
    const conversation = { system, messages, inputTools };
    this.#ids.set(
      conversation,
      rows.map(({ id }) => String(id)),
    );
    return conversation;
  }

  async #write(key: string, id: string, { previous, conversation, answer }: KeptResponse): Promise<void> {
    const known = previous && continues(conversation, previous) ? this.#ids.get(previous) : undefined;
    // An upstream that repeats an ID replaces the answer that had it, so the whole conversation is stored.
    const parent = known?.includes(id) ? undefined : known?.at(-1);
    const added = conversation.messages.slice(parent === undefined ? 0 : previous?.messages.length);
    const { system, inputTools } = conversation;
    const items = outputItems(answer).map((item) => ({ id: String(item.id), item: JSON.stringify(item) }));
    await this.#connection.query(KEEP, [
      ...[key, id, parent ?? null, JSON.stringify({ system, inputTools })],
      JSON.stringify([...added, { role: 'assistant', parts: answer.parts }]),
      JSON.stringify(items),
    ]);
  }
}

function continues({ messages }: ContinuableConversation, previous: ContinuableConversation): boolean {
  return previous.messages.every((message, place) => message === messages[place]);
}
