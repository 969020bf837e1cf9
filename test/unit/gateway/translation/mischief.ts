import * as fc from 'fast-check';

/** JSON of any shape, whose members and types are mostly words of the wire formats. */
const WORDS =
  'type index delta text content role id model usage choices message response item output_index content_index error ' +
  'tool_calls function name arguments reasoning_content reasoning_details finish_reason stop_reason content_block ' +
  'partial_json thinking signature item_id call_id summary_index status output part encrypted_content input_tokens ' +
  'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping text_delta ' +
  'input_json_delta thinking_delta signature_delta tool_use response.created response.output_item.added ' +
  'response.output_item.done response.output_text.delta response.function_call_arguments.delta response.completed ' +
  'response.incomplete response.failed response.reasoning_summary_text.delta reasoning function_call custom_tool_call';
const wireWord = fc.constantFrom(...WORDS.split(' '));
const leaf = fc.oneof(wireWord, fc.string(), fc.integer({ min: -1, max: 3 }), fc.boolean(), fc.constant(null));
const { garbage } = fc.letrec<{ garbage: unknown }>((tie) => ({
  garbage: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('garbage'), { maxLength: 3 }),
    fc.dictionary(wireWord, tie('garbage'), { maxKeys: 6 }),
  ),
}));

/** Replaces or removes some members of an event. */
export function mangled(data: string, path: readonly number[], by: unknown): string {
  try {
    const value: unknown = JSON.parse(data);
    let at = value;
    for (const step of path) {
      if (typeof at !== 'object' || at === null) break;
      const members = at as Record<string, unknown>;
      const key = Object.keys(members)[step % Math.max(1, Object.keys(members).length)] ?? '';
      if (typeof members[key] !== 'object' || members[key] === null || step % 3 === 0) {
        members[key] = by;
        break;
      }
      at = members[key];
    }
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(by);
  }
}

/** An error of a server or a client at one position. */
export const mischief = fc.record({
  place: fc.nat(60),
  kind: fc.constantFrom('insert' as const, 'mangle' as const, 'remove' as const, 'repeat' as const),
  path: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
  by: garbage,
});

type Mischief = typeof mischief extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the stream of a faulty server: events are missing, repeated, changed, or invented. */
export function misbehaving(stream: string, deeds: readonly Mischief[]): Buffer {
  const events = stream.split('\n\n').filter((event) => event !== '');
  for (const { place, kind, path, by } of deeds) {
    const at = place % Math.max(1, events.length);
    const event = events[at] ?? '';
    const [head = '', data = ''] = event.split(/(?<=^|\n)data: /);
    if (kind === 'insert') events.splice(at, 0, `data: ${JSON.stringify(by)}`);
    else if (kind === 'remove') events.splice(at, 1);
    else if (kind === 'repeat') events.splice(at, 0, event);
    else events[at] = `${head}data: ${mangled(data, path, by)}`;
  }
  return Buffer.from(events.map((event) => `${event}\n\n`).join(''));
}
