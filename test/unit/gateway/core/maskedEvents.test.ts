import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeyMask } from '../../../../src/gateway/core/keyMask.ts';
import { MaskedEvents } from '../../../../src/gateway/core/maskedEvents.ts';
import { split, splits } from '../../formats/streams.ts';

const KEY = 'key_kkey_key_0123';
/** This number of consecutive characters of the key counts as the key. */
const LEAST = 12;

/** How events of each format contain a text. */
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
  'chat-completions': (text) =>
    `data: {"id":"chatcmpl-1","model":"think","choices":[{"index":0,"delta":{"content":${text}}}]}\n\n`,
  messages: (text) =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${text}}}\n\n`,
  responses: (text) =>
    `event: response.output_text.delta\r\ndata: {"type":"response.output_text.delta", "item_id":"m_k", "delta": ${text}}\r\n\r\n`,
};

function masked(pieces: readonly Uint8Array[]): string {
  const mask = KeyMask.of(KEY);
  assert.ok(mask);
  const events = new MaskedEvents(mask);
  const sent = [...pieces.map((piece) => events.push(Buffer.from(piece))), events.end() ?? Buffer.of()];
  return Buffer.concat(sent).toString();
}

/** Returns the text that a client assembles. */
function said(stream: string): string {
  const texts = stream.split(/\r?\n\r?\n/).map((event) => {
    const data = /^data: (\{.*\})$/m.exec(event)?.[1];
    if (data === undefined) return '';
    const { choices, delta } = JSON.parse(data) as {
      choices?: { delta: { content: string } }[];
      delta?: string | { text: string };
    };
    return choices?.[0]?.delta.content ?? (typeof delta === 'object' ? delta.text : (delta ?? ''));
  });
  return texts.join('');
}

const escaped = (text: string) => text.replace(/[_\d]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);

describe('a stream of events whose texts contain the key when joined', () => {
  for (const [format, write] of Object.entries(WRITERS)) {
    for (const [how, spell] of [
      ['as it is', (text: string) => text],
      ['in JSON escapes', escaped],
    ] as const) {
      it(`does not reveal it, wherever texts and bytes are split: ${format}, ${how}`, () => {
        const property = fc.property(splits, splits, (texts, sizes) => {
          const text = `The key is ${KEY}! And k, ke, key and key_ are no keys.`;
          const parts = split(new TextEncoder().encode(text), texts).map((part) => Buffer.from(part).toString());
          const stream = parts.map((part) => write(`"${spell(part)}"`)).join('');
          const sent = masked(split(new TextEncoder().encode(stream), sizes));
          assert.equal(sent.length, stream.length);
          const read = said(sent);
          for (let at = 0; at + LEAST <= KEY.length; at += 1)
            assert.ok(!read.includes(KEY.slice(at, at + LEAST)), read);
          assert.match(read, /^The key is [.\w]+! And k, ke, key and key_ are no keys\.$/);
        });
        fc.assert(property);
      });
    }
  }

  it('does not reveal it one character at a time, with pings and comments between', () => {
    const write = WRITERS.messages as (text: string) => string;
    const pings = ['event: ping\ndata: {"type": "ping"}\n\n', ': still there\n\n', 'data: {"type":"ping"}\n\n'];
    const stream = [...KEY].map((character, nth) => write(`"${character}"`) + pings[nth % 3]).join('');
    const sent = masked([Buffer.from(stream)]);
    assert.equal(said(sent), '.'.repeat(KEY.length));
  });

  it('does not reveal it in one of several texts of an event', () => {
    const write = (text: string) =>
      `data: {"choices":[{"delta":{"content":"${text}"},"logprobs":{"content":[{"token":"${text}"}]}}]}\n\n`;
    const sent = masked([Buffer.from(write(KEY.slice(0, 9)) + write(KEY.slice(9)))]);
    assert.ok(!sent.includes(KEY.slice(0, 9)) && !sent.includes(KEY.slice(9)), sent);
  });

  it('does not reveal most of it if the stream ends within it', () => {
    const write = WRITERS.messages as (text: string) => string;
    const sent = masked([Buffer.from(write(`"${KEY.slice(0, 8)}"`) + write(`"${KEY.slice(8, 15)}"`))]);
    assert.equal(said(sent), '.'.repeat(15));
  });

  it('is unchanged if texts only begin or end like the key', () => {
    const words = fc.array(fc.constantFrom('k', 'key', 'key_', KEY.slice(0, 11), 'ey_', 'a', ' ', '', 'über'), {
      maxLength: 30,
    });
    const property = fc.property(words, splits, fc.constantFrom(...Object.values(WRITERS)), (all, sizes, write) => {
      // Some of them side by side form most of the key.
      const stream = all.map((word) => write(`"${word}"`) + write('"-"')).join('');
      assert.equal(masked(split(new TextEncoder().encode(stream), sizes)), stream);
    });
    fc.assert(property);
  });

  it('is forwarded immediately and unchanged, unless a text ends like the beginning of the key', () => {
    const mask = KeyMask.of(KEY);
    assert.ok(mask);
    const events = new MaskedEvents(mask);
    const write = WRITERS['chat-completions'] as (text: string) => string;
    for (const text of ['"a"', '"key_words"', '"no key "', '"kk_"']) {
      const chunk = Buffer.from(write(text));
      assert.equal(events.push(chunk), chunk, text);
    }
    const held = write('"the key"');
    assert.equal(events.push(Buffer.from(held)).toString(), held.slice(0, held.indexOf('key"')));
    const next = write('" is here"');
    assert.equal(events.push(Buffer.from(next)).toString(), held.slice(held.indexOf('key"')) + next);
  });

  it('holds back no more than a few kilobytes', () => {
    const mask = KeyMask.of(KEY);
    assert.ok(mask);
    const events = new MaskedEvents(mask);
    events.push(Buffer.from('data: {"text":"key_"}\n\n'));
    let sent = 0;
    for (let nth = 0; nth < 20; nth += 1) sent += events.push(Buffer.from(`: ${'ping'.repeat(8_000)}\n\n`)).length;
    assert.ok(sent > 570_000, String(sent));
  });
});
