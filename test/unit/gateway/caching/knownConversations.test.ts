import assert from 'node:assert/strict';
import { readBlocks } from '../../../../src/gateway/caching/blockReader.ts';
import { KnownConversations } from '../../../../src/gateway/caching/knownConversations.ts';
import { BlockHasher, type BlockList, type RequestBlocks } from '../../../../src/gateway/caching/requestBlocks.ts';

const memory = () => ({ hasher: new BlockHasher(), known: new KnownConversations() });

type Message = Record<string, unknown>;

const TEXT = 'The file defines the "parser" and its tests.\n'.repeat(40);
const user = (text: string): Message => ({ role: 'user', content: text });
const call = (id: number): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: `t${id}`, name: 'read', input: { path: `/src/${id}.ts` } }],
});
const result = (id: number, mark?: object): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: `t${id}`, content: `${id} ${TEXT}`, ...mark }],
});
const MARK = { cache_control: { type: 'ephemeral' } };
const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } };

function conversation(rounds: number, lastMark?: object): Message[] {
  const turns = Array.from({ length: rounds }, (_, id) => [
    call(id),
    result(id, id === rounds - 1 ? lastMark : undefined),
  ]);
  return [user('Repair the parser.'), ...turns.flat()];
}

const HEAD = { model: 'm', system: [{ type: 'text', text: 'You are an agent.' }], tools: [{ name: 'read' }] };

function plainList(list: BlockList): unknown {
  const facts = Array.from({ length: list.length }, (_, at) => [
    list.at(at),
    list.isImage(at),
    list.isMarked(at),
    list.isToolUse(at),
  ]);
  return { bytes: list.bytes, facts };
}

function plain({ tools, system, messages, ...rest }: RequestBlocks): unknown {
  return { ...rest, tools: plainList(tools), system: plainList(system), messages: plainList(messages) };
}

/** Reads the requests one after the other, and each of them also without knowing the others. */
function assertSame(requests: readonly object[]): void {
  const known = memory();
  for (const request of requests) {
    const body = Buffer.from(JSON.stringify(request));
    assert.deepEqual(plain(readBlocks(body, known)), plain(readBlocks(body, memory())));
  }
}

function changed(messages: Message[], index: number, message: Message): Message[] {
  return messages.toSpliced(index, 1, message);
}

describe('a conversation that was partly read before has the same blocks', () => {
  const messages = conversation(60);
  const first = { ...HEAD, messages };

  for (const [what, second] of Object.entries({
    'when it is repeated': first,
    'when it has grown': { ...HEAD, messages: conversation(64) },
    'when it was shortened': { ...HEAD, messages: conversation(41) },
    'when the last message was changed': { ...HEAD, messages: changed(messages, 120, result(7)) },
    'when a message in the middle was changed': { ...HEAD, messages: changed(messages, 60, result(7)) },
    'when a message was removed': { ...HEAD, messages: messages.toSpliced(50, 1) },
    'when the first message was changed': { ...HEAD, messages: changed(messages, 0, user('Stop.')) },
    'when the tools were changed': { ...HEAD, tools: [{ name: 'write' }, { name: 'read' }], messages },
    'when the system prompt is marked': { ...HEAD, system: [{ type: 'text', text: 'A', ...HOUR }], messages },
    'when the whole request is marked': { ...first, ...MARK },
    'when a system message was added before it': { ...HEAD, messages: [{ role: 'system', content: 'A' }, ...messages] },
    'when other members follow it': { messages, tool_choice: 'auto', ...HEAD },
    'when it has only one message': { ...HEAD, messages: [user('Repair the parser.')] },
  })) {
    it(what, () => {
      assertSame([first, second, first]);
      assertSame([second, first, second]);
    });
  }

  it('if the mark moves with its last message', () => {
    assertSame([58, 59, 60, 61].map((rounds) => ({ ...HEAD, messages: conversation(rounds, MARK) })));
    assertSame([58, 59, 60, 61].map((rounds) => ({ ...first, messages: conversation(rounds, HOUR), ...MARK })));
  });

  it('if it consists of items', () => {
    const items = (rounds: number) =>
      Array.from({ length: rounds }, (_, id) => [
        { type: 'function_call', call_id: `c${id}`, name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${id}`, output: TEXT },
      ]).flat();
    const input = (rounds: number) => [{ role: 'developer', content: 'A' }, user('Repair it.'), ...items(rounds)];
    assertSame([30, 31, 45].map((rounds) => ({ model: 'm', input: input(rounds), stream: true })));
  });

  it('if its messages are not objects', () => {
    const strange = (count: number) => ({
      messages: [user('A'), ...Array(9_000).fill(123), ...Array(count).fill('a')],
    });
    assertSame([strange(1), strange(2), { messages: [user('A'), ...Array(9_000).fill(123), 4] }]);
  });
});

describe('the known conversations', () => {
  it('are limited to the last 32', () => {
    const { known, hasher } = memory();
    const first = (question: string) => {
      const bytes = Buffer.from(JSON.stringify({ messages: [user(question), ...conversation(20)] }));
      const start = bytes.indexOf('[') + 1;
      const end = start + JSON.stringify(user(question)).length;
      readBlocks(bytes, { hasher, known });
      return () => known.begin(bytes, start, end, { hasMarks: false, lifetime: undefined })?.follow();
    };
    const followed = Array.from({ length: 33 }, (_, at) => first(`Question ${at}`)).map((follow) => follow());
    assert.deepEqual(
      followed.map((part) => part !== undefined),
      [false, ...Array(32).fill(true)],
    );
  });
});
