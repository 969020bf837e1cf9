import assert from 'node:assert/strict';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';

const hello = { role: 'user', content: 'Hello' };

function decodeMessages(...messages: object[]): Pick<ChatRequest, 'system' | 'messages'> {
  const { system, messages: decoded } = chatCompletions.decodeRequest({ model: 'familyc-5.4', messages });
  return { system, messages: decoded };
}

const text = (value: string) => ({ type: 'text' as const, text: value });
const user = (value: string) => ({ role: 'user' as const, parts: [text(value)] });

describe('Chat-completions message decoder', () => {
  describe('with system prompts', () => {
    it('collects leading system and developer messages in order', () => {
      const { system, messages } = decodeMessages(
        { role: 'system', content: 'One' },
        { role: 'developer', content: [text('Two'), text('Three')] },
        hello,
      );
      assert.deepEqual(system, [text('One'), text('Two'), text('Three')]);
      assert.deepEqual(messages, [user('Hello')]);
    });

    it('keeps those in the middle and at the end in place', () => {
      const { system, messages } = decodeMessages(hello, { role: 'system', content: 'Be brief' }, hello, {
        role: 'developer',
        content: 'And kind',
      });
      assert.deepEqual(system, []);
      assert.deepEqual(messages, [
        user('Hello'),
        { role: 'system', parts: [text('Be brief')] },
        user('Hello'),
        { role: 'system', parts: [text('And kind')] },
      ]);
    });

    it('accepts a conversation without other messages', () => {
      assert.deepEqual(decodeMessages({ role: 'system', content: 'One' }), { system: [text('One')], messages: [] });
    });
  });

  describe('with content', () => {
    const decodeParts = (...content: object[]) => decodeMessages({ role: 'user', content }).messages[0]?.parts;

    it('keeps consecutive messages of one role separate', () => {
      assert.equal(decodeMessages(hello, hello, hello).messages.length, 3);
    });

    it('creates no part for empty text', () => {
      assert.deepEqual(decodeParts(text(''), text('Hi')), [text('Hi')]);
      assert.deepEqual(decodeMessages({ role: 'user', content: '' }).messages, [{ role: 'user', parts: [] }]);
    });

    it('reads images from data and URLs', () => {
      assert.deepEqual(
        decodeParts(
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'low' } },
          { type: 'image_url', image_url: 'https://example.com/a.png' },
        ),
        [
          { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'aGk=' }, detail: 'low' },
          { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
        ],
      );
    });

    it('reads files from data, URLs and ids', () => {
      assert.deepEqual(
        decodeParts(
          { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' } },
          { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
          { type: 'file', file: { file_id: 'file-1', filename: null } },
        ),
        [
          { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'aGk=' }, name: 'a.pdf' },
          { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
          { type: 'document', source: { kind: 'file', id: 'file-1' } },
        ],
      );
    });

    it('reads cache hints in both spellings', () => {
      assert.deepEqual(
        decodeParts(
          { ...text('a'), cache_control: { type: 'ephemeral', ttl: '1h' } },
          { ...text('b'), prompt_cache_breakpoint: { mode: 'explicit' } },
        ),
        [
          { ...text('a'), cacheHint: { ttl: '1h' } },
          { ...text('b'), cacheHint: {} },
        ],
      );
    });

    it('skips parts of unknown types', () => {
      assert.deepEqual(decodeParts({ type: 'input_audio', input_audio: {} }, text('Hi')), [text('Hi')]);
    });
  });

  describe('with assistant messages', () => {
    const decodeAnswer = (message: object) =>
      decodeMessages(hello, { role: 'assistant', ...message }).messages[1]?.parts;

    it('puts reasoning first, then text and refusals, then tool calls', () => {
      assert.deepEqual(
        decodeAnswer({
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
          refusal: 'No',
          content: 'Yes',
          reasoning_content: 'Hm',
        }),
        [
          { type: 'reasoning', text: 'Hm' },
          text('Yes'),
          { type: 'refusal', text: 'No' },
          { type: 'toolCall', id: 'call_1', name: 'add', arguments: '{"a":1}' },
        ],
      );
    });

    it('accepts null content and missing content', () => {
      const calls = { tool_calls: [{ id: 'call_1', function: { name: 'add', arguments: '{}' } }] };
      assert.deepEqual(decodeAnswer({ content: null, ...calls }), decodeAnswer(calls));
    });

    it('reads signatures and encrypted reasoning from the details, and their text only once', () => {
      assert.deepEqual(
        decodeAnswer({
          content: 'Yes',
          reasoning: 'Hm',
          reasoning_details: [
            { type: 'reasoning.text', text: 'Hm', index: 0 },
            { type: 'reasoning.text', signature: 'c2ln', index: 0 },
            { type: 'reasoning.encrypted', data: 'ZW5j', index: 1, id: 'rs_1' },
          ],
        }),
        [
          { type: 'reasoning', text: 'Hm', signature: 'c2ln' },
          { type: 'reasoning', text: '', encrypted: 'ZW5j', itemId: 'rs_1' },
          text('Yes'),
        ],
      );
    });

    it('keeps the arguments of a call verbatim', () => {
      const written = '{"b": 1,  "a":1e3}';
      const [call] = decodeAnswer({ tool_calls: [{ id: 'c', function: { name: 'f', arguments: written } }] }) ?? [];
      assert.equal(call?.type === 'toolCall' && call.arguments, written);
    });
  });

  describe('with tool results', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
    const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });

    it('merges adjacent results into one message, in order', () => {
      const { messages } = decodeMessages(
        hello,
        { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
        result('b', 'second'),
        result('a', [text('first')]),
        hello,
      );
      assert.deepEqual(messages[2], {
        role: 'tool',
        parts: [
          { type: 'toolResult', toolCallId: 'b', content: [text('second')] },
          { type: 'toolResult', toolCallId: 'a', content: [text('first')] },
        ],
      });
      assert.deepEqual(messages[3], user('Hello'));
    });

    it('accepts images in tool results', () => {
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
      const { messages } = decodeMessages(result('a', [image]));
      assert.deepEqual(messages[0]?.parts, [
        {
          type: 'toolResult',
          toolCallId: 'a',
          content: [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'aGk=' } }],
        },
      ]);
    });

    it('recognizes the results of free-form calls', () => {
      const { messages } = decodeMessages(
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: 'x' } }] },
        result('a', 'done'),
      );
      assert.deepEqual(messages, [
        { role: 'assistant', parts: [{ type: 'toolCall', id: 'a', name: 'patch', arguments: 'x', freeForm: true }] },
        { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'a', content: [text('done')], freeForm: true }] },
      ]);
    });

    it('pairs calls and results of the legacy form', () => {
      const { messages } = decodeMessages(
        { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
        { role: 'function', name: 'look', content: 'seen' },
      );
      const [answer, results] = messages;
      assert.ok(answer?.role === 'assistant' && results?.role === 'tool');
      assert.ok(answer.parts[0]?.type === 'toolCall');
      assert.equal(results.parts[0]?.toolCallId, answer.parts[0].id);
    });
  });
});
