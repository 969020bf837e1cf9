import assert from 'node:assert/strict';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { compareAnswers } from '../../../../../src/pages/session/replay/compareAnswers.ts';
import type { TextSegment } from '../../../../../src/pages/session/replay/protocol.ts';
import { readAnswer } from '../../../../../src/pages/session/replay/readAnswer.ts';

const said = (text: string, ...calls: (readonly [name: string, args: string])[]) => ({
  text,
  calls: calls.map(([name, args]) => ({ name, arguments: args })),
});
const comparison = (a: ReturnType<typeof said>, b: ReturnType<typeof said>) => compareAnswers(a, b).comparison;
const differing = (segments: readonly TextSegment[]) =>
  segments.filter(({ differs }) => differs === true).map(({ text }) => text);

describe('the comparison of two answers to one request', () => {
  it('treats calls with equal names and arguments as equal, whatever the JSON order and whitespace', () => {
    const recorded = said('First.', ['read', '{"path":"a","limit":2}']);
    assert.equal(comparison(recorded, said('First.', ['read', '{ "limit": 2, "path": "a" }'])), 'same');
    assert.equal(comparison(recorded, said('Other.', ['read', '{"limit":2,"path":"a"}'])), 'sameCalls');
    assert.equal(comparison(recorded, said('First.', ['read', '{"path":"b","limit":2}'])), 'otherArguments');
    assert.equal(comparison(recorded, said('First.', ['search', '{"path":"a","limit":2}'])), 'otherCalls');
    assert.equal(comparison(recorded, said('First.')), 'otherCalls');
  });

  it('compares the texts if neither answer calls a tool', () => {
    assert.equal(comparison(said('Yes.'), said(' Yes.\n')), 'same');
    assert.equal(comparison(said('Yes.'), said('No.')), 'otherText');
  });

  it('marks the differences, and the segments add up to the whole texts', () => {
    const [a, b] = ['The delay grows with every attempt.', 'The delay never grows with an attempt.'];
    const { recorded, replayed } = compareAnswers(said(a, ['x', '{}'], ['y', '1']), said(b, ['x', '{ }'], ['y', '2']));
    assert.equal(recorded.segments.map(({ text }) => text).join(''), a);
    assert.equal(replayed.segments.map(({ text }) => text).join(''), b);
    assert.match(differing(recorded.segments).join('|'), /every/);
    assert.match(differing(replayed.segments).join('|'), /never/);
    assert.ok(!differing(recorded.segments).join('|').includes('delay'));
    assert.deepEqual(
      replayed.calls.map(({ differs }) => differs),
      [undefined, true],
    );
  });

  it('marks the whole texts if they have too little in common', () => {
    const words = (word: string) => Array.from({ length: 3_000 }, (_, nth) => `${word}${nth}`).join(' ');
    const { recorded, replayed } = compareAnswers(said(words('a')), said(words('b')));
    assert.equal(recorded.segments.length, 1);
    assert.deepEqual([...differing(recorded.segments), ...differing(replayed.segments)], [words('a'), words('b')]);
  });
});

describe('the body of an answer', () => {
  it('is read as a stream, even if it is truncated', () => {
    const start = 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,';
    const body = [
      `${start}"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}`,
      `${start}"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"read","arguments":"{\\"a\\":"}}]},"finish_reason":null}]}`,
      `${start}"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":null}]}`,
    ].join('\n\n');
    const { problem, ...answer } = readAnswer(`${body}\n\n`, wireFormats['chat-completions']);
    assert.deepEqual(answer, { text: 'Hello', calls: [{ name: 'read', arguments: '{"a":1}' }] });
    assert.match(problem ?? '', /ended|interrupted|closed/i);
  });

  it('is read as a whole, without reasoning', () => {
    const body = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 's' },
        { type: 'text', text: 'One' },
        { type: 'tool_use', id: 't', name: 'read', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const answer = readAnswer(JSON.stringify(body), wireFormats.messages);
    assert.deepEqual(answer, { text: 'One', calls: [{ name: 'read', arguments: '{"a":1}' }] });
  });

  it('reports a problem if it is not an answer', () => {
    assert.match(readAnswer('{"error":{"message":"overloaded"}}', wireFormats.messages).problem ?? '', /overloaded/);
    assert.ok(readAnswer('<html>', wireFormats.messages).problem);
  });
});
