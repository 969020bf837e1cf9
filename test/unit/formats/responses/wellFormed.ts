import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { openResponsesEvent } from './openResponses.ts';

/** An event of the wire format. */
export interface WireEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly content_index?: number;
  readonly delta?: string;
  readonly item?: WireItem;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members of all kinds
  readonly [member: string]: any;
}

interface WireItem {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

/** Returns the events in a stream's text. Each has a name, which its data repeats. */
export function jsonOf(stream: string): WireEvent[] {
  return stream
    .trimEnd()
    .split('\n\n')
    .map((event) => {
      const [, name, data = ''] = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(event) ?? [];
      const value: WireEvent = JSON.parse(data);
      assert.equal(value.type, name);
      return value;
    });
}

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
};

/** Asserts that a value matches a schema. Fails with the paths of missing or invalid members. */
export function assertFits(schema: z.ZodMiniType, value: unknown): void {
  const { error } = schema.safeParse(JSON.parse(JSON.stringify(value)));
  assert.equal(error && z.prettifyError(error), undefined, JSON.stringify(value));
}

/**
 * Asserts that each event has the members that the Open Responses specification requires, and that the order is
 * correct: lifecycle, items numbered from 0, contents within them, one end.
 */
export function assertWellFormed(events: readonly WireEvent[]): void {
  for (const event of events) assertFits(openResponsesEvent, event);
  assert.deepEqual(
    events.map((event) => event.sequence_number),
    events.map((_, place) => place),
  );
  const [created, inProgress, ...rest] = events;
  const last = rest.pop();
  assert.deepEqual([created?.type, inProgress?.type], ['response.created', 'response.in_progress']);
  assert.match(last?.type ?? '', /^response\.(completed|incomplete|failed)$/);
  if (last?.type === 'response.failed')
    assert.equal(rest.pop()?.type, 'error', 'the failure is also reported as an error');
  const open = new Map<number, WireItem>();
  const contents = new Map<number, number>();
  const ids = new Set<string>();
  const done: unknown[] = [];
  for (const event of rest) {
    const place = event.output_index ?? -1;
    if (event.type === 'response.output_item.added' && event.item) {
      assert.equal(place, ids.size, 'items are numbered in the order of their start');
      assert.equal(open.size, 0, 'one item is open at a time');
      assert.equal(event.item.status, 'in_progress');
      assert.ok(event.item.id.startsWith(PREFIXES[event.item.type] ?? '?'), event.item.id);
      ids.add(event.item.id);
      assert.equal(ids.size, place + 1, 'ids are distinct');
      open.set(place, event.item);
    } else if (event.type === 'response.output_item.done' && event.item) {
      assert.equal(event.item.id, open.get(place)?.id);
      assert.notEqual(event.item.status, 'in_progress');
      assert.ok(open.delete(place), 'an item that is done was open');
      done[place] = event.item;
    } else {
      assert.equal(event.item_id, open.get(place)?.id, `${event.type} is about an open item`);
      if (event.type === 'response.content_part.added') {
        assert.equal(event.content_index, (contents.get(place) ?? -1) + 1);
        contents.set(place, event.content_index ?? -1);
      } else if (event.content_index !== undefined) {
        assert.equal(event.content_index, contents.get(place), `${event.type} is about the open content`);
      }
    }
  }
  const { output, id } = last?.response ?? {};
  assert.equal(id, created?.response.id);
  if (last?.type === 'response.failed') {
    for (const item of open.values()) assert.match(item.type, /call$/, 'only calls are left open');
    assert.equal(output.length, ids.size);
    for (const item of output) assert.notEqual(item.status, 'in_progress');
  } else {
    assert.equal(open.size, 0);
    assert.deepEqual(output, done, 'the last event has every item as it was done');
  }
}
