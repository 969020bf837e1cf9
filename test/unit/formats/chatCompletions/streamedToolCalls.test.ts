import assert from 'node:assert/strict';
import { assemble, DONE, delta, FINISH, fragment, read, START } from './chunks.ts';

describe('The chat-completions stream decoder for tool calls', () => {
  const call = (index: number | undefined, id: string | undefined, name: string | undefined, text: string) =>
    fragment({ index, id, type: 'function', function: { name, arguments: text } });
  const calls = (...pieces: string[]) =>
    assemble(...pieces, FINISH).parts.map((part) =>
      part.type === 'toolCall' ? `${part.id} ${part.name} ${part.arguments}` : part.type,
    );

  it('begins with the call if the answer does, without a text part', () => {
    const events = read(call(0, 'a', 'f', '{}'), delta({}, 'tool_calls'), DONE);
    assert.deepEqual(events, [
      START,
      { type: 'toolCallStart', index: 0, id: 'a', name: 'f' },
      { type: 'toolCallDelta', index: 0, arguments: '{}' },
      { type: 'toolCallEnd', index: 0 },
      { type: 'finish', reason: 'toolCalls' },
    ]);
  });

  it('emits arguments as they arrive', () => {
    const events = read(call(0, 'a', 'f', ''), call(0, undefined, undefined, '{'), call(0, undefined, undefined, '}'));
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'toolCallDelta' ? event.arguments : [])),
      ['{', '}'],
    );
  });

  it('accepts ids and names that are repeated in every fragment', () => {
    assert.deepEqual(calls(call(0, 'a', 'f', '{'), call(0, 'a', 'f', '"x":1'), call(0, 'a', 'f', '}')), [
      'a f {"x":1}',
    ]);
  });

  it('accepts ids that change in fragments without a name', () => {
    assert.deepEqual(calls(call(0, 'a', 'f', '{'), call(0, 'b', undefined, '}')), ['a f {}']);
  });

  it('separates calls that all have index 0', () => {
    assert.deepEqual(calls(call(0, 'a', 'f', '{}'), call(0, 'b', 'g', '{'), call(0, undefined, undefined, '}')), [
      'a f {}',
      'b g {}',
    ]);
  });

  it('separates calls without an index, with and without ids', () => {
    assert.deepEqual(calls(call(undefined, 'a', 'f', '{}'), call(undefined, 'b', 'f', '{}')), ['a f {}', 'b f {}']);
    assert.deepEqual(calls(call(undefined, undefined, 'f', '{}'), call(undefined, undefined, 'g', '{}')), [
      'call_chatcmpl-1_0 f {}',
      'call_chatcmpl-1_1 g {}',
    ]);
  });

  it('continues the last call at a new index without an id and a name', () => {
    assert.deepEqual(calls(call(0, 'a', 'f', '{}'), call(0, 'b', 'g', '{'), call(1, undefined, undefined, '}')), [
      'a f {}',
      'b g {}',
    ]);
  });

  it('recognizes a call by its id at another index', () => {
    const pieces = [call(0, 'a', 'f', '{'), call(1, 'b', 'g', '{}'), call(2, 'a', undefined, '}')];
    assert.deepEqual(calls(...pieces), ['a f {}', 'b g {}']);
  });

  it('accepts fragments that repeat all arguments so far', () => {
    const pieces = ['{"p"', '{"p": "a"', '{"p": "a"}', '{"p": "a"}'].map((text) => call(0, 'a', 'f', text));
    assert.deepEqual(calls(...pieces), ['a f {"p": "a"}']);
  });

  it('keeps arguments that arrive before the name', () => {
    assert.deepEqual(calls(call(0, 'a', undefined, '{"x"'), call(0, undefined, 'f', ':1}')), ['a f {"x":1}']);
  });

  it('accepts arguments as an object', () => {
    assert.deepEqual(calls(fragment({ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } })), [
      'a f {"x":1}',
    ]);
  });

  it('reports a call that never gets a name, continues, and does not end cleanly', () => {
    const events = read(call(0, 'a', undefined, '{}'), delta({ content: 'Hi' }), FINISH, DONE);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['start', 'textDelta', 'malformed', 'error'],
    );
  });

  it('assigns a late fragment to its call even if text came between', () => {
    const events = read(call(0, 'a', 'f', '{'), delta({ content: 'Hi' }), call(0, undefined, undefined, '}'), FINISH);
    assert.deepEqual(
      events.map((event) => ('index' in event ? `${event.type} ${event.index}` : event.type)),
      ['start', 'toolCallStart 0', 'toolCallDelta 0', 'toolCallDelta 0', 'toolCallEnd 0', 'textDelta 1', 'finish'],
    );
  });

  it('reads free-form calls', () => {
    const events = [
      fragment({ index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '' } }),
      fragment({ index: 0, custom: { input: '*** Begin' } }),
    ];
    assert.deepEqual(assemble(...events, FINISH).parts, [
      { type: 'toolCall', id: 'a', name: 'patch', arguments: '*** Begin', freeForm: true },
    ]);
  });

  it('reads calls of the legacy form', () => {
    const events = [
      delta({ function_call: { name: 'f', arguments: '{' } }),
      delta({ function_call: { arguments: '}' } }),
    ];
    assert.deepEqual(calls(...events), ['call_chatcmpl-1_0 f {}']);
  });
});
