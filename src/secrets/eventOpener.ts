import type { AnswerOpener } from './answerOpener.ts';
import { channelOf, type DeltaChannel, endedGroups } from './deltaChannel.ts';
import { escapeJson, unescapeJson } from './jsonEscapes.ts';
import { type JsonString, readJsonStrings } from './jsonStrings.ts';
import { withStrings, writerFor } from './openedJson.ts';
import { LITERAL } from './standIns.ts';
import type { StandInTable } from './standInTable.ts';

interface WaitingEvent {
  /** What is around its data. */
  readonly before: string;
  readonly after: string;
  readonly data: string;
  readonly strings: readonly JsonString[];
  readonly changes: Map<JsonString, string>;
}

interface HeldText {
  readonly channel: DeltaChannel;
  readonly event: WaitingEvent;
  readonly string: JsonString;
  /** The whole text, with its stand-ins. */
  text: string;
}

/** Events that wait for the rest of a stand-in. More of them mean that nothing continues it. */
const MAX_WAITING = 2_000;
const DATA = /(?<=^|[\r\n])data: ?([^\r\n]*)/g;
const EMPTY = Buffer.alloc(0);

/**
 * Restores the secrets in a stream of server-sent events. The events stay the same and in order; only their texts
 * change. A stand-in can be cut into several deltas: what it stands for is in the first of them.
 */
export class EventOpener implements AnswerOpener {
  readonly counts = { opened: 0, unknown: 0 };
  readonly #table: StandInTable;
  readonly #isStructured: boolean;
  /** The bytes of an incomplete event. */
  #rest: Buffer[] = [];
  #waiting: WaitingEvent[] = [];
  readonly #held = new Map<string, HeldText>();

  constructor(table: StandInTable, isStructured: boolean) {
    this.#table = table;
    this.#isStructured = isStructured;
  }

  push(chunk: Buffer): Buffer {
    this.#rest.push(chunk);
    if (!chunk.includes('\n') && !chunk.includes('\r')) return EMPTY;
    const bytes = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest);
    const passed: Buffer[] = [];
    let at = 0;
    for (const end of endsOfEvents(bytes)) {
      this.#take(bytes.toString('utf8', at, end));
      at = end;
      this.#release(passed);
    }
    this.#rest = at === bytes.length ? [] : [bytes.subarray(at)];
    return passed.length === 1 ? (passed[0] ?? EMPTY) : Buffer.concat(passed);
  }

  end(): Buffer {
    const passed: Buffer[] = [];
    const rest = Buffer.concat(this.#rest);
    this.#rest = [];
    if (rest.length > 0) this.#take(rest.toString());
    this.#flush('all');
    this.#release(passed);
    return Buffer.concat(passed);
  }

  #take(raw: string): void {
    const lines = [...raw.matchAll(DATA)];
    const [first, last] = [lines[0], lines.at(-1)];
    const data = lines.map(([, line = '']) => line).join('\n');
    if (first === undefined || last === undefined) {
      this.#waiting.push({ before: raw, after: '', data: '', strings: [], changes: new Map() });
      return;
    }
    const strings = readJsonStrings(data) ?? [];
    const event: WaitingEvent = {
      before: raw.slice(0, first.index + first[0].length - (first[1]?.length ?? 0)),
      after: raw.slice(last.index + last[0].length),
      data,
      strings,
      changes: new Map(),
    };
    this.#waiting.push(event);
    const value = strings.length === 0 ? undefined : parsed(data);
    if (value === undefined) this.#flush('all');
    else this.#open(event, value);
    if (this.#waiting.length > MAX_WAITING) this.#flush('all');
  }

  #open(event: WaitingEvent, value: Readonly<Record<string, unknown>>): void {
    const channels = new Map(event.strings.map((each) => [each, each.isName ? undefined : channelOf(value, each)]));
    this.#leave([...channels.values()].filter((channel) => channel !== undefined));
    for (const [string, channel] of channels) {
      const text = unescapeJson(event.data.slice(string.start, string.end));
      if (channel === undefined) this.#openWhole(event, string, text);
      else this.#continue(channel, event, string, text);
    }
    this.#flush(endedGroups(value));
  }

  #openWhole(event: WaitingEvent, string: JsonString, text: string): void {
    if (!text.includes(LITERAL)) return;
    const result = this.#table.open(text, writerFor(string.name, this.#isStructured));
    this.#count(result);
    if (result.opened > 0) event.changes.set(string, result.text);
  }

  /** A text ends where its model begins another one. Only calls are written side by side. */
  #leave(channels: readonly DeltaChannel[]): void {
    if (this.#held.size === 0) return;
    for (const held of this.#held.values()) {
      const { id, group, isJson } = held.channel;
      const isLeft = channels.some((each) => each.group === group) && !channels.some((each) => each.id === id);
      if (isLeft && !isJson) this.#finish(held);
    }
  }

  #continue(channel: DeltaChannel, event: WaitingEvent, string: JsonString, text: string): void {
    const held = this.#held.get(channel.id);
    if (held === undefined) {
      this.#begin(channel, event, string, text);
      return;
    }
    const border = held.text.length;
    const both = held.text + text;
    const across = this.#table.standInsIn(both).find(({ start, end }) => start < border && end > border);
    if (across !== undefined) {
      held.text = both.slice(0, across.end);
      this.#finish(held);
      event.changes.set(string, both.slice(across.end));
      this.#begin(channel, event, string, both.slice(across.end));
    } else if (this.#table.beginningAtEnd(both) < border) {
      held.text = both;
      event.changes.set(string, '');
    } else {
      this.#finish(held);
      this.#begin(channel, event, string, text);
    }
  }

  #begin(channel: DeltaChannel, event: WaitingEvent, string: JsonString, text: string): void {
    const held = { channel, event, string, text };
    if (this.#table.beginningAtEnd(text) < text.length) this.#held.set(channel.id, held);
    else this.#write(held);
  }

  #finish(held: HeldText): void {
    this.#held.delete(held.channel.id);
    this.#write(held);
  }

  #write({ channel, event, string, text }: HeldText): void {
    const isJson = channel.isJson || (this.#isStructured && channel.isText);
    const result = this.#table.open(text, isJson ? escapeJson : (secret) => secret);
    this.#count(result);
    const before = event.changes.get(string) ?? unescapeJson(event.data.slice(string.start, string.end));
    if (result.text !== before) event.changes.set(string, result.text);
  }

  #count({ opened, unknown }: { readonly opened: number; readonly unknown: number }): void {
    this.counts.opened += opened;
    this.counts.unknown += unknown;
  }

  #flush(groups: readonly string[] | 'all'): void {
    if (this.#held.size === 0 || groups.length === 0) return;
    for (const held of this.#held.values()) {
      if (groups === 'all' || groups.includes(held.channel.group)) this.#finish(held);
    }
  }

  /** Passes on the events in front of the first one that is held. */
  #release(passed: Buffer[]): void {
    const blocking = new Set([...this.#held.values()].map(({ event }) => event));
    let free = this.#waiting.findIndex((event) => blocking.has(event));
    if (free === -1) free = this.#waiting.length;
    for (const event of this.#waiting.splice(0, free)) passed.push(bytesOf(event));
  }
}

function parsed(data: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf({ before, after, data, strings, changes }: WaitingEvent): Buffer {
  const changed = changes.size === 0 ? data : withStrings(data, strings, (string) => changes.get(string));
  return Buffer.from(before + changed.replaceAll('\n', '\ndata: ') + after);
}

const [LF, CR] = [0x0a, 0x0d] as const;

/** Returns the positions after the blank lines. */
function endsOfEvents(bytes: Buffer): number[] {
  const ends: number[] = [];
  let at = nextBreak(bytes, 0);
  while (at !== -1) {
    const first = afterBreak(bytes, at);
    const isBlank = bytes[first] === LF || bytes[first] === CR;
    if (isBlank) ends.push(afterBreak(bytes, first));
    at = nextBreak(bytes, isBlank ? afterBreak(bytes, first) : first);
  }
  return ends;
}

function nextBreak(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === LF || bytes[at] === CR) return at;
  return -1;
}

function afterBreak(bytes: Buffer, at: number): number {
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
}
