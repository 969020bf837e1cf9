import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { wholeChatCompletion } from '../../../support/modelServer/chatCompletions.ts';
import { wholeMessage } from '../../../support/modelServer/messages.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { wholeResponse } from '../../../support/modelServer/responses.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const SAID = { parts: [{ text: 'All of it.' }] };
const WHOLE: Readonly<Record<FormatName, object>> = {
  'chat-completions': wholeChatCompletion(SAID, 'm'),
  messages: wholeMessage(SAID, 'm'),
  responses: wholeResponse(SAID, 'm'),
};

/** Asks a gateway in front of an upstream, with its key, that answers like this. */
async function ask(caller: FormatName, upstream: FormatName, answer: Answer, stream = true) {
  const router = await startRouter([{ formats: [upstream], apiKey: 'key_of-the-upstream', script: () => answer }]);
  const question = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] };
  const request = { model: 'm', maxTokens: 50, system: [], messages: [question], stream };
  const body = JSON.stringify(wireFormats[caller].encodeRequest(request));
  const record = router.nextRecord();
  const {
    status,
    headers,
    body: bytes,
  } = await send({
    port: router.port,
    path: `/api/v1${wireFormats[caller].path}`,
    body,
  });
  return { status, headers, bytes, text: bytes.toString(), record: await record };
}

describe('an answer whose encoding is none', () => {
  afterEach(closeAll);

  for (const encoding of ['none', 'identity, identity', 'utf-8', 'UTF-8', 'charset=utf-8', 'GZIP, identity', '']) {
    it(`is read as "${encoding}", passed and translated`, async () => {
      for (const upstream of ['chat-completions', 'messages'] as const) {
        const body = JSON.stringify(WHOLE[upstream]);
        const isPacked = encoding.startsWith('GZIP');
        const answer = isPacked
          ? { ...SAID, gzip: true, headers: { 'content-encoding': encoding } }
          : { stream: body, headers: { 'content-encoding': encoding, 'content-type': 'application/json' } };
        const { status, text, headers } = await ask('messages', upstream, answer, false);
        assert.equal(status, 200, text);
        if (!isPacked) assert.match(text, /All of it\./);
        if (!isPacked) assert.equal(headers['content-encoding'], undefined);
      }
    });
  }

  for (const encoding of ['none', 'identity, identity', 'gzip', 'rot13']) {
    it(`keeps the status and the reason of an error that names "${encoding}"`, async () => {
      for (const upstream of ['chat-completions', 'messages'] as const) {
        const headers = { 'content-encoding': encoding, 'retry-after': '7' };
        const body = { error: { message: 'Too many of them.', type: 'rate_limit_error' } };
        const answer = { status: 429, headers, body };
        const { status, text, headers: received } = await ask('messages', upstream, answer);
        assert.deepEqual([status, received['retry-after']], [429, '7'], text);
        assert.match(text, /Too many of them\./);
        assert.equal(received['content-encoding'], undefined);
      }
    });
  }

  it('keeps the status of an error that cannot be read', async () => {
    const body = gzipSync('{"error":{"message":"no"}}').toString('latin1');
    const answer = { status: 429, headers: { 'content-encoding': 'br', 'retry-after': '7' }, body };
    const { status, text, headers } = await ask('messages', 'messages', answer);
    assert.deepEqual([status, headers['retry-after']], [429, '7']);
    assert.match(JSON.parse(text).error.message, /unreadable error \(429\)/);
  });
});

describe('an answer that is compressed without naming it', () => {
  afterEach(closeAll);
  const LONG = { parts: [{ text: `${randomBytes(300_000).toString('base64')} All of it.` }] };

  for (const upstream of ['chat-completions', 'messages'] as const) {
    for (const [form, stream] of [
      ['a long body', false],
      ['a stream', true],
    ] as const) {
      it(`is read as ${form}, passed and translated, from ${upstream}`, async () => {
        const headers = { 'content-encoding': '', ...(stream ? {} : { 'content-type': 'application/json' }) };
        const said = stream ? SAID : LONG;
        const {
          bytes,
          headers: received,
          record,
        } = await ask('messages', upstream, { ...said, gzip: true, headers }, stream);
        const plain = received['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        assert.match(plain.toString(), /All of [\s\S]*it\./);
        assert.deepEqual([record.end, record.usage?.outputTokens], ['completed', 17]);
      });
    }
  }
});

for (const upstream of FORMAT_NAMES) {
  describe(`JSON of ${upstream} that is announced as a stream`, () => {
    afterEach(closeAll);

    for (const caller of FORMAT_NAMES) {
      it(`is an answer for ${caller}, as a stream and whole`, async () => {
        const answer = { stream: JSON.stringify(WHOLE[upstream], null, 2) };
        const streamed = await ask(caller, upstream, answer);
        assert.match(streamed.headers['content-type'] ?? '', /^text\/event-stream/);
        assert.match(streamed.text, /^(?:event|data): [\s\S]*All of it\./m);
        assert.equal(streamed.record.end, 'completed');
        assert.equal(streamed.record.usage?.outputTokens, 17);
        const whole = await ask(caller, upstream, answer, false);
        assert.match(whole.headers['content-type'] ?? '', /^application\/json/);
        assert.match(JSON.stringify(JSON.parse(whole.text)), /All of it\./);
      });

      it(`is an error with its reason for ${caller}`, async () => {
        for (const error of [
          { error: { message: 'THE REASON' } },
          { message: 'THE REASON', code: 500 },
          { detail: 'THE REASON' },
          [{ error: { message: 'THE REASON', code: 500 } }],
        ]) {
          const { status, text } = await ask(caller, upstream, { stream: JSON.stringify(error) });
          assert.ok(status >= 500, text);
          assert.match(JSON.parse(text).error.message, /THE REASON/);
        }
      });
    }
  });
}

describe('an error beside the choices', () => {
  afterEach(closeAll);
  const base_resp = { status_code: 1008, status_msg: 'insufficient balance' };

  it('has its reason and its kind, streamed and whole', async () => {
    for (const caller of FORMAT_NAMES) {
      for (const answer of [
        { stream: JSON.stringify({ id: '1', choices: null, base_resp }) },
        { stream: `data: ${JSON.stringify({ id: '1', base_resp })}\n\n` },
      ]) {
        const { status, text } = await ask(caller, 'chat-completions', answer);
        assert.equal(status, 402, text);
        assert.match(text, /insufficient balance/);
      }
    }
  });

  it('is none if its code is 0', async () => {
    const body = { ...WHOLE['chat-completions'], base_resp: { status_code: 0, status_msg: '' } };
    const { status, text } = await ask('messages', 'chat-completions', { stream: JSON.stringify(body) }, false);
    assert.equal(status, 200);
    assert.match(text, /All of it\./);
  });
});

describe('a chat stream with messages instead of deltas', () => {
  afterEach(closeAll);
  const usage = { prompt_tokens: 5, completion_tokens: 12, total_tokens: 17 };
  const chunk = (choice: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  const said = (content: string) => ({ message: { role: 'assistant', content } });

  it('is read', async () => {
    for (const caller of ['messages', 'responses'] as const) {
      const stream = chunk({ ...said('Hi there'), finish_reason: 'stop' }, { usage });
      assert.match((await ask(caller, 'chat-completions', { stream })).text, /Hi there/);
      const parts = chunk(said('Hi ')) + chunk(said('there')) + chunk({ finish_reason: 'stop' }, { usage });
      assert.match((await ask(caller, 'chat-completions', { stream: parts })).text, /Hi [\s\S]*there/);
    }
  });

  it('is not read twice if the messages repeat the deltas', async () => {
    const stream = `${chunk({ delta: { content: 'Hi' }, ...said('Hi') })}${chunk({ ...said('Hi'), finish_reason: 'stop' })}`;
    const { text } = await ask('messages', 'chat-completions', { stream });
    assert.equal(text.match(/"text_delta"/g)?.length, 1, text);
  });

  it('never ends cleanly if tokens are reported that were not found', async () => {
    const stream = chunk({ utterance: 'Hi' }) + chunk({ delta: {}, finish_reason: 'stop' }, { usage });
    for (const caller of ['messages', 'responses'] as const) {
      const { text, record } = await ask(caller, 'chat-completions', { stream });
      assert.match(text, /no output was found/);
      assert.equal(record.end, 'upstreamFailed');
    }
  });

  it('ends cleanly without output if the tokens are reasoning, or the limit was reached', async () => {
    const completion_tokens_details = { reasoning_tokens: 10 };
    for (const ending of [
      chunk({ delta: {}, finish_reason: 'stop' }, { usage: { ...usage, completion_tokens_details } }),
      chunk({ delta: {}, finish_reason: 'length' }, { usage }),
    ]) {
      const { text, record } = await ask('messages', 'chat-completions', { stream: ending });
      assert.match(text, /message_stop/);
      assert.equal(record.end, 'completed');
    }
  });
});
