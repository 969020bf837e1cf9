import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { readWhole } from '../../../../src/gateway/translation/wholeAnswer.ts';
import type { Answer as Said } from '../../../support/modelServer/modelServer.ts';
import { ALL_PAIRS, startRoute } from '../routing/failover/faultyUpstreams.ts';
import { closeAll } from '../support/gateway.ts';

const CALLERS = ['messages', 'responses'] as const;

function chunk(delta: object, members: object = {}, finish_reason: unknown = null): string {
  const choice = { index: 0, delta, finish_reason };
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice], ...members })}\n\n`;
}

const DONE = 'data: [DONE]\n\n';
const stream = (...events: readonly string[]): Said => ({ stream: events.join('') });

function completion(message: object, members: object = {}, finish_reason: unknown = 'stop'): Said {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }];
  return { status: 200, body: { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, ...members } };
}

function sse(...events: readonly Record<string, unknown>[]): Said {
  return stream(...events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`));
}

async function ask(caller: FormatName, upstream: FormatName, said: Said) {
  const route = await startRoute({ caller, upstream }, [() => said]);
  return route.ask({ stream: typeof said === 'object' && 'stream' in said });
}

describe('A careless server of chat completions', () => {
  afterEach(closeAll);

  const texts: Readonly<Record<string, readonly [said: Said, text: string]>> = {
    'a number as the content of a chunk': [
      stream(
        chunk({ content: 'Price $' }),
        chunk({ content: 6 }),
        chunk({ content: ' each' }),
        chunk({}, {}, 'stop'),
        DONE,
      ),
      'Price $6 each',
    ],
    'a number as the content of an answer': [completion({ content: 42 }), '42'],
    'true as the content of an answer': [completion({ content: true }), 'true'],
    'one part instead of a list': [completion({ content: { type: 'text', text: 'One' } }), 'One'],
    'one choice instead of a list': [
      { status: 200, body: { choices: { message: { content: 'Alone' }, finish_reason: 'stop' } } },
      'Alone',
    ],
    'numbers as texts in the usage': [
      completion({ content: 'Hi' }, { usage: { prompt_tokens: '7', completion_tokens: '2' }, created: 'now' }),
      'Hi',
    ],
    'an object as the finish reason': [
      stream(chunk({ content: 'Cut' }), chunk({}, {}, { type: 'length' }), DONE),
      'Cut',
    ],
    'the text "null" as the finish reason': [
      stream(chunk({ content: 'a' }, {}, 'null'), chunk({ content: 'b' }, {}, 'null'), chunk({}, {}, 'stop'), DONE),
      'ab',
    ],
    'text after the finish reason': [
      stream(
        chunk({ reasoning_content: 'Hm' }, {}, 'stop'),
        chunk({ content: 'Still' }),
        chunk({ content: ' here' }),
        DONE,
      ),
      'Still here',
    ],
    'signs of life that are no events': [
      stream('data: ping\n\n', chunk({ content: 'Hi' }), 'data: OK\n\n', chunk({}, {}, 'stop'), DONE),
      'Hi',
    ],
    'an event of 1.5 MB': [
      stream(chunk({ content: 'a'.repeat(1_500_000) }), chunk({}, {}, 'stop'), DONE),
      'a'.repeat(1_500_000),
    ],
  };
  for (const [name, [said, text]] of Object.entries(texts)) {
    for (const caller of CALLERS) {
      it(`sends ${name}, and ${caller} clients get all of it`, async () => {
        const answer = await ask(caller, 'chat-completions', said);
        assert.deepEqual([answer.text, answer.error], [text, undefined]);
      });
    }
  }

  const failures: Readonly<Record<string, readonly [said: Said, message: RegExp]>> = {
    'the finish reason abort': [stream(chunk({ content: 'Half of' }), chunk({}, {}, 'abort'), DONE), /\(abort\)/],
    'an unknown finish reason': [completion({ content: '' }, {}, 'MALFORMED_FUNCTION_CALL'), /MALFORMED_FUNCTION_CALL/],
    'text that is none': [
      stream(chunk({ content: 'Half' }), chunk({ content: { unknown: 'form' } }), chunk({}, {}, 'stop'), DONE),
      /could not be read/,
    ],
    'half an event': [
      stream(chunk({ content: 'Half' }), 'data: {"choices":[{"delta":{"content":"lo\n\n', chunk({}, {}, 'stop'), DONE),
      /could not be read/,
    ],
    'a call without a name': [
      stream(
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }),
        chunk({}, {}, 'tool_calls'),
        DONE,
      ),
      /could not be read/,
    ],
  };
  for (const [name, [said, message]] of Object.entries(failures)) {
    for (const caller of CALLERS) {
      it(`sends ${name}, and ${caller} clients get an error after the rest`, async () => {
        const { error, isFinished } = await ask(caller, 'chat-completions', said);
        assert.match(error?.message ?? '', message);
        assert.ok(!isFinished, 'it does not end cleanly');
      });
    }
  }

  for (const caller of CALLERS) {
    it(`lists its sources beside the answer, and ${caller} clients get them once`, async () => {
      const sources = {
        citations: ['https://a.example/1'],
        search_results: [{ title: 'A', url: 'https://a.example/1' }],
      };
      const whole = await ask(caller, 'chat-completions', completion({ content: 'So.' }, sources));
      const streamed = await ask(
        caller,
        'chat-completions',
        stream(chunk({ content: 'S' }, sources), chunk({ content: 'o.' }, sources), chunk({}, sources, 'stop'), DONE),
      );
      for (const { raw } of [whole, streamed]) {
        assert.match(raw, /"title":"A"/);
        assert.match(raw, /https:\/\/a\.example\/1/);
      }
    });
  }

  const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  for (const [where, message] of Object.entries({
    'beside the text': { content: 'See', images: [PICTURE] },
    'among the content': { content: [{ type: 'text', text: 'See' }, PICTURE] },
  })) {
    for (const said of [completion(message), stream(chunk(message), chunk({}, {}, 'stop'), DONE)]) {
      it(`sends an image ${where}, which a client of responses gets, ${'stream' in Object(said) ? 'streamed' : 'whole'}`, async () => {
        const { text, raw } = await ask('responses', 'chat-completions', said);
        const { parts } = readWhole(wireFormats.responses, Buffer.from(raw));
        assert.equal(text, 'See');
        const source = { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
        assert.deepEqual(
          parts.filter(({ type }) => type === 'image'),
          [{ type: 'image', source }],
        );
      });
    }
  }

  it('sends an image, which is named as dropped', async () => {
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
    const { headers, text } = await ask('messages', 'chat-completions', completion({ content: 'See', images }));
    assert.deepEqual([text, headers['x-model-access-dropped']], ['See', 'images']);
  });
});

describe('A careless server of messages', () => {
  afterEach(closeAll);

  const start = { type: 'message_start', message: { id: 'm', model: 'm', content: [], usage: { input_tokens: 1 } } };
  const begin = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  const say = (text: unknown, members: object = { index: 0 }) => {
    return { type: 'content_block_delta', ...members, delta: { type: 'text_delta', text } };
  };
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } };
  const stop = { type: 'message_stop' };
  const texts: Readonly<Record<string, readonly [said: Said, text: string]>> = {
    'a number as text': [sse(start, begin, say('$'), say(6), end, stop), '$6'],
    'no indexes': [sse(start, { ...begin, index: undefined }, say('Hi', {}), end, stop), 'Hi'],
    'an index as text': [sse(start, begin, say('Hi', { index: '0' }), end, stop), 'Hi'],
    'no start': [sse(begin, say('Hi'), end, stop), 'Hi'],
    'null as text': [sse(start, begin, say(null), say('Hi'), end, stop), 'Hi'],
    'a text instead of blocks': [{ status: 200, body: { content: 'Alone', stop_reason: 'end_turn' } }, 'Alone'],
    'one block instead of a list': [
      { status: 200, body: { type: 'message', role: 'model', content: { type: 'text', text: 'One' } } },
      'One',
    ],
  };
  for (const [name, [said, text]] of Object.entries(texts)) {
    for (const caller of ['chat-completions', 'responses'] as const) {
      it(`sends ${name}, and ${caller} clients get all of it`, async () => {
        const answer = await ask(caller, 'messages', said);
        assert.deepEqual([answer.text, answer.error], [text, undefined]);
      });
    }
  }

  for (const caller of ['chat-completions', 'responses'] as const) {
    it(`has an unknown stop reason, and ${caller} clients get an error that names it`, async () => {
      const cut = { type: 'message_delta', delta: { stop_reason: 'aborted' }, usage: { output_tokens: 2 } };
      const streamed = await ask(caller, 'messages', sse(start, begin, say('Half'), cut, stop));
      assert.match(streamed.error?.message ?? '', /\(aborted\)/);
    });
  }
});

describe('A careless server of responses', () => {
  afterEach(closeAll);

  const created = { type: 'response.created', response: { id: 'r', model: 'm', status: 'in_progress', output: [] } };
  const added = {
    type: 'response.output_item.added',
    item: { id: 'i', type: 'message', role: 'assistant', content: [] },
  };
  const say = (delta: unknown) => ({ type: 'response.output_text.delta', item_id: 'i', delta });
  const completed = { type: 'response.completed', response: { id: 'r', model: 'm', status: 'completed', output: [] } };
  const call = { id: 'f', type: 'function_call', call_id: 'call_1', name: 'look', arguments: '' };
  const texts: Readonly<Record<string, readonly [said: Said, text: string]>> = {
    'no places': [sse(created, added, say('Hi'), say(' you'), completed), 'Hi you'],
    'deltas without their item': [sse(created, say('Hi'), completed), 'Hi'],
    'a number as text': [sse(created, added, say('$'), say(6), completed), '$6'],
    'two items without places': [
      sse(
        created,
        added,
        say('A'),
        { ...added, item: { ...added.item, id: 'j' } },
        { ...say('B'), item_id: 'j' },
        completed,
      ),
      'AB',
    ],
    'a text instead of parts': [
      { status: 200, body: { id: 'r', output: [{ type: 'message', content: 'Alone' }], status: 'completed' } },
      'Alone',
    ],
  };
  for (const [name, [said, text]] of Object.entries(texts)) {
    for (const caller of ['chat-completions', 'messages'] as const) {
      it(`sends ${name}, and ${caller} clients get all of it`, async () => {
        const answer = await ask(caller, 'responses', said);
        assert.deepEqual([answer.text, answer.error], [text, undefined]);
      });
    }
  }

  for (const caller of ['chat-completions', 'messages'] as const) {
    it(`sends arguments before their call, and ${caller} clients get the call`, async () => {
      const args = { type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 0, delta: '{"a":1}' };
      const { raw, error } = await ask(
        caller,
        'responses',
        sse(created, args, { type: 'response.output_item.added', output_index: 0, item: call }, completed),
      );
      assert.equal(error, undefined);
      assert.match(raw, /look/);
      assert.match(raw, /\\"a\\":1/);
    });

    it(`ends for an unknown reason, and ${caller} clients get an error that names it`, async () => {
      const response = { ...completed.response, status: 'incomplete', incomplete_details: { reason: 'aborted' } };
      const { error } = await ask(
        caller,
        'responses',
        sse(created, added, say('Half'), { type: 'response.incomplete', response }),
      );
      assert.match(error?.message ?? '', /\(aborted\)/);
    });
  }
});

describe('An error of any shape', () => {
  afterEach(closeAll);

  const bodies: Readonly<Record<string, unknown>> = {
    'the message at the top': { message: 'THE REASON', type: 'bad' },
    "FastAPI's detail": { detail: 'THE REASON' },
    "FastAPI's list": { detail: [{ loc: ['body', 'x'], msg: 'THE REASON', type: 'value_error' }] },
    'an error as a text': { error: 'THE REASON' },
    'JSON inside the message': { error: { message: '{"error":{"message":"THE REASON"}}' } },
    'the error of a service behind it': {
      error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"error":{"message":"THE REASON"}}' } },
    },
    'a list of errors': [{ error: { code: 400, message: 'THE REASON' } }],
    'errors with titles': { errors: [{ status: '400', title: 'THE REASON' }] },
    'a plain text': 'THE REASON',
    'a web page': '<!doctype html><html><head><title>THE REASON</title></head></html>',
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`gives its reason to clients of all formats: ${name}`, async () => {
      for (const { caller, upstream } of ALL_PAIRS.filter((pair) => pair.caller !== pair.upstream)) {
        const route = await startRoute({ caller, upstream }, [() => ({ status: 400, body })]);
        const { error, status } = await route.ask();
        assert.equal(status, 400);
        assert.match(error?.message ?? '', /THE REASON/, `${caller} on ${upstream}`);
      }
    });
  }

  const waits: Readonly<Record<string, readonly [body: unknown, seconds: string]>> = {
    RetryInfo: [
      [{ error: { code: 429, message: 'Slow', details: [{ '@type': 'RetryInfo', retryDelay: '37s' }] } }],
      '37',
    ],
    'a member in seconds': [{ error: { message: 'Slow', retry_after: 5 } }, '5'],
    'a member in milliseconds': [{ message: 'Slow', retryAfterMs: 1500 }, '2'],
    'a sentence': [{ error: { message: 'Rate limit reached. Please try again in 20.5s.' } }, '21'],
    'a sentence with minutes': [{ error: { message: 'Please try again in 1m30s. Visit the site.' } }, '90'],
  };
  for (const [name, [body, seconds]] of Object.entries(waits)) {
    it(`gives the delay before a retry as a header: ${name}`, async () => {
      for (const { caller, upstream } of ALL_PAIRS) {
        const route = await startRoute({ caller, upstream }, [() => ({ status: 429, body })]);
        const { headers } = await route.ask();
        assert.equal(headers['retry-after'], seconds, `${caller} on ${upstream}`);
      }
    });
  }
});
