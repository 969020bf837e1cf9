import { isRecord, parseJson } from '../../formats/json.ts';
import type { ServerSentEvent } from '../../formats/serverSentEvents.ts';
import { joinItems, memberOf } from '../http/itemList.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import type { CreateEvent } from './clientEvent.ts';
import type { Continuations } from './continuations.ts';

const ITEM_DONE = 'response.output_item.done';
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete']);

/**
 * One answer of a connection. Learns from its events what a later request needs to continue it, if neither the gateway
 * nor the upstream stores it.
 */
export class SocketTurn {
  readonly event: CreateEvent;
  /** The items of the whole conversation before the answer, if they are known. */
  readonly input: Buffer;
  readonly #connection: string;
  readonly #continuations: Continuations;
  readonly #items: Buffer[] = [];

  constructor(event: CreateEvent, input: Buffer, connection: string, continuations: Continuations) {
    this.event = event;
    this.input = input;
    this.#connection = connection;
    this.#continuations = continuations;
  }

  passing({ event: name, data }: ServerSentEvent): void {
    if (name === 'response.failed') this.failed();
    if (this.event.isStored || name === undefined) return;
    if (name === ITEM_DONE) this.#items.push(memberOf(data, 'item'));
    else if (ENDS.has(name)) this.#keep(memberOf(data, 'response'));
  }

  /** Like a service, forgets what a failed request has continued, so that its client sends the whole conversation. */
  failed(): void {
    const { previousResponseId } = this.event;
    if (previousResponseId !== undefined) this.#continuations.forget(this.#connection, previousResponseId);
  }

  #keep(response: Buffer): void {
    const { id, output } = this.#read(response);
    if (typeof id !== 'string') return;
    // Some services send the items only at the end.
    const items = this.#items.length > 0 ? this.#items : output;
    this.#continuations.keep(this.#connection, id, joinItems(this.input, ...items));
  }

  #read(response: Buffer): { readonly id: unknown; readonly output: readonly Buffer[] } {
    const scanner = new ObjectScanner(new Set(['id']));
    scanner.push(response);
    const output = this.#items.length > 0 ? undefined : scanner.members.find(({ name }) => name === 'output');
    const parsed = output && parseJson(response.toString('utf8', output.start, output.end));
    const items = Array.isArray(parsed) ? parsed.filter(isRecord) : [];
    return {
      id: parseJson(scanner.values.get('id') ?? ''),
      output: items.map((item) => Buffer.from(JSON.stringify(item))),
    };
  }
}
