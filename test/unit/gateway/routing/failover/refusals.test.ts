import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../../../../../src/formats/apiError.ts';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import type { Answer as Said, Script } from '../../../../support/modelServer/modelServer.ts';
import { read } from '../../support/client.ts';
import { closeAll } from '../../support/gateway.ts';
import { ALL_PAIRS, EVENTS, firstData, HELLO, itInTurn, readAnswer, refusal, startRoute } from './faultyUpstreams.ts';

const TOO_LONG: ApiError = {
  kind: 'invalidRequest',
  status: 400,
  code: 'context_length_exceeded',
  message: 'The prompt is too long: 300000 tokens.',
};
const WRONG: ApiError = { kind: 'invalidRequest', status: 400, message: 'temperature: Words of the first.' };
const FILTERED: ApiError = { ...WRONG, code: 'content_policy_violation', message: 'Words of the filter.' };
const POOR: ApiError = { kind: 'credit', status: 402, message: 'Words of the first.' };
const GONE: ApiError = { kind: 'notFound', status: 404, message: 'There is no such model.' };

/** A stream that ends because the model refused, in the formats that can express that. */
const REFUSED: Readonly<Record<FormatName, string>> = {
  'chat-completions': [
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,"refusal":"No."},"finish_reason":null}]}\n\n',
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
    'data: [DONE]\n\n',
  ].join(''),
  messages: EVENTS.messages({ parts: [] }, 'm').join('').replace('"end_turn"', '"refusal"'),
  responses: EVENTS.responses(HELLO, 'm')
    .slice(0, 2)
    .join('')
    .concat(
      'event: response.refusal.delta\ndata: {"type":"response.refusal.delta","sequence_number":2,"item_id":"i","output_index":0,"content_index":0,"delta":"No."}\n\n',
    ),
};

const REFUSED_WHOLE: Readonly<Record<FormatName, object>> = {
  'chat-completions': {
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: 'No.' }, finish_reason: 'stop' }],
  },
  messages: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'refusal' },
    usage: { input_tokens: 1, output_tokens: 0 },
  },
  responses: {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: [{ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
  },
};

/** Answers, streamed or whole, that end without output because of a filter or a refusal that has no text. */
const DECLINED: Readonly<Record<FormatName, Readonly<Record<string, Said>>>> = {
  'chat-completions': {
    'content_filter with a null content': whole({ choices: [ended('content_filter', { content: null })] }),
    'content_filter with an empty content': whole({ choices: [ended('content_filter', { content: '' })] }),
    "content_filter without a message's content": whole({ choices: [ended('content_filter', {})] }),
    'the finish reason SAFETY': whole({ choices: [ended('SAFETY', { content: '' })] }),
    'the finish reason refusal': whole({ choices: [ended('refusal', { content: '' })] }),
    'content_filter in a stream': {
      stream: [
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}\n\n',
        'data: [DONE]\n\n',
      ].join(''),
    },
  },
  messages: {
    'a refusal with an empty text': whole({
      ...{ type: 'message', role: 'assistant', stop_reason: 'refusal', usage: { input_tokens: 1, output_tokens: 0 } },
      content: [{ type: 'text', text: '' }],
    }),
    'a refusal after an empty text in a stream': {
      stream: EVENTS.messages({ parts: [{ text: '' }] }, 'm')
        .join('')
        .replace('"end_turn"', '"refusal"'),
    },
  },
  responses: {
    'content_filter without items': whole(filtered([])),
    'content_filter with an empty text': whole(filtered([messageItem([{ type: 'output_text', text: '' }])])),
    'content_filter with an empty item': whole(filtered([messageItem([])])),
    'content_filter after empty reasoning': whole(filtered([{ type: 'reasoning', id: 'rs_1', summary: [] }])),
    'content_filter in a stream with an empty item': {
      stream: [
        event('response.created', {
          response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] },
        }),
        event('response.output_item.added', { output_index: 0, item: messageItem([]) }),
        event('response.output_item.done', { output_index: 0, item: messageItem([]) }),
        event('response.incomplete', { response: filtered([]) }),
      ].join(''),
    },
  },
};

function whole(body: object): Said {
  return { status: 200, body: { id: 'x', created: 1, model: 'm', ...body } };
}

function ended(reason: string, message: object): object {
  return { index: 0, message: { role: 'assistant', ...message }, finish_reason: reason };
}

function filtered(output: readonly object[]): object {
  const status = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { id: 'resp_1', object: 'response', created_at: 1, model: 'm', ...status, output };
}

function messageItem(content: readonly object[]): object {
  return { id: 'm', type: 'message', role: 'assistant', content };
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** Answers requests to models, and lists them with this description. */
function listing(described: object, answer: () => Said): Script {
  return ({ path, format }) => {
    if (!path.includes('/models')) return format === undefined ? undefined : answer();
    const data = ['m0', 'm1', 'm2'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'x', ...described }));
    return { status: 200, body: { object: 'list', data } };
  };
}

for (const pair of ALL_PAIRS) {
  const { caller, upstream } = pair;
  const counts = (route: Awaited<ReturnType<typeof startRoute>>) =>
    route.servers.map((_, nth) => route.asked(nth).length);

  describe(`a client of ${caller} on upstreams of ${upstream} that refuse`, () => {
    afterEach(closeAll);

    itInTurn(pair, 'the request is too long for the model', async () => {
      const long = () => refusal(upstream, TOO_LONG);
      const scripts = [
        listing({ context_window: 200_000 }, long),
        listing({ context_window: 100_000 }, () => HELLO),
        listing({ context_window: 1_000_000 }, () => HELLO),
      ];
      const refused = await startRoute(pair, scripts);
      assert.equal((await refused.ask()).status, 400);
      assert.deepEqual(counts(refused), [1, 0, 0]);
      const moved = await startRoute(pair, scripts, { also: ['overflow'] });
      const { status, headers } = await moved.ask();
      assert.deepEqual([status, counts(moved)], [200, [1, 0, 1]]);
      assert.match(String(headers['x-model-access-route']), /server1\/m1 skipped: context_window/);
    });

    itInTurn(pair, 'any other 400', async () => {
      const { status, body } = refusal(upstream, WRONG) as { status: number; body: unknown };
      const words = `  ${JSON.stringify(body, null, 1)}\n`;
      const route = await startRoute(pair, [() => ({ status, body: words }), () => HELLO]);
      const answer = await route.ask();
      assert.deepEqual([answer.status, answer.error?.message], [400, WRONG.message]);
      if (caller === upstream) assert.equal(answer.raw, words);
      const [first = 0, second] = counts(route);
      // What a translation has written is tried in other forms, once for all requests of this shape.
      assert.ok(first === 1 || caller !== upstream);
      assert.equal((await route.ask()).status, 400);
      assert.deepEqual([second, ...counts(route)], [0, first + 1, 0]);
    });

    for (const [refused, trigger, answer] of [
      ["refused by the upstream's content filter", 'filter', () => refusal(upstream, FILTERED)],
      [
        'refused by the model, or ended by a content filter, before any output, streamed or whole',
        'refusal',
        () => ({ stream: REFUSED[upstream] }),
      ],
      ['402', 'credit', () => refusal(upstream, POOR)],
    ] as const) {
      itInTurn(pair, refused, async () => {
        const returned = await startRoute(pair, [answer, () => HELLO]);
        const { text } = await returned.ask();
        assert.notEqual(text, HELLO.parts[0]?.text);
        assert.deepEqual(counts(returned), [1, 0]);
        const moved = await startRoute(pair, [answer, () => HELLO], { also: [trigger] });
        assert.equal((await moved.ask()).text, HELLO.parts[0]?.text);
        assert.deepEqual(counts(moved), [1, 1]);
      });
    }

    it('refused by the model in an answer that is not streamed', async () => {
      const answer = () => ({ status: 200, body: REFUSED_WHOLE[upstream] });
      const returned = await startRoute(pair, [answer, () => HELLO]);
      assert.notEqual((await returned.ask({ stream: false })).text, HELLO.parts[0]?.text);
      assert.deepEqual(counts(returned), [1, 0]);
      const moved = await startRoute(pair, [answer, () => HELLO], { also: ['refusal'] });
      assert.equal((await moved.ask({ stream: false })).text, HELLO.parts[0]?.text);
      assert.deepEqual(counts(moved), [1, 1]);
    });

    for (const [name, answer] of Object.entries(DECLINED[upstream])) {
      it(`declined without output by ${name}`, async () => {
        const stream = 'stream' in Object(answer);
        const returned = await startRoute(pair, [() => answer, () => HELLO]);
        assert.notEqual((await returned.ask({ stream })).text, HELLO.parts[0]?.text);
        assert.deepEqual(counts(returned), [1, 0]);
        const moved = await startRoute(pair, [() => answer, () => HELLO], { also: ['refusal'] });
        assert.equal((await moved.ask({ stream })).text, HELLO.parts[0]?.text);
        assert.deepEqual(counts(moved), [1, 1]);
      });
    }

    itInTurn(pair, "401 or 403 for the gateway's key", async () => {
      for (const kind of ['authentication', 'permission'] as const) {
        const closed = () => refusal(upstream, { kind, message: 'Words of the first.' });
        const route = await startRoute(pair, [closed, () => HELLO]);
        assert.equal((await route.ask()).text, HELLO.parts[0]?.text);
        const { status, error } = await (await startRoute(pair, [closed])).ask();
        assert.equal(status, 502);
        assert.match(error?.message ?? '', /"server0" rejected the gateway's key.*Words of the first/);
      }
    });

    itInTurn(pair, '404 of the model', async () => {
      const script: Script = ({ body }) => (body.model === 'm0' ? refusal(upstream, GONE) : HELLO);
      const route = await startRoute(pair, [script, () => HELLO]);
      for (let nth = 0; nth < 2; nth += 1) assert.equal((await route.ask()).text, HELLO.parts[0]?.text);
      assert.deepEqual(counts(route), [1, 2]);
      assert.equal((await route.ask({ model: 'server0/other' })).status, 200);
      assert.deepEqual(counts(route), [2, 2]);
    });

    itInTurn(pair, 'no support for tools, images, or a stored answer', async () => {
      const blind = listing({ modalities: ['text'] }, () => HELLO);
      const route = await startRoute(pair, [blind, listing({ modalities: ['text', 'image'] }, () => HELLO)]);
      const record = route.nextRecord();
      const { status, headers } = await route.ask({ content: [PICTURES[caller]] });
      assert.deepEqual([status, counts(route)], [200, [0, 1]]);
      assert.match(String(headers['x-model-access-route']), /server0\/m0 skipped: images/);
      assert.deepEqual([(await record).attempts?.[0]?.skipped], ['images']);
    });

    itInTurn(pair, 'the client disconnects', async () => {
      const route = await startRoute(pair, [() => 'hang up', () => 'stay silent']);
      const record = route.nextRecord();
      const request = route.open();
      const second = await route.servers[1]?.request(0);
      request.destroy();
      assert.equal(await second?.ended, 'left');
      assert.equal((await record).end, 'clientLeft');
    });

    itInTurn(pair, 'longer than `totalSeconds`', async () => {
      const limits = { totalSeconds: 1 };
      const silent = await startRoute(pair, [() => 'stay silent', () => HELLO], { limits });
      assert.equal((await silent.ask()).status, 504);
      const afterEvents = upstream === 'chat-completions' ? 3 : 6;
      const stalled = () => ({ ...HELLO, afterEvents, ending: 'stall' as const });
      const route = await startRoute(pair, [stalled], { limits });
      const [answer] = (await once(route.open(), 'response')) as [IncomingMessage];
      const whole = read(answer);
      await firstData(answer);
      const { error, isFinished } = readAnswer(caller, await whole);
      assert.ok(error);
      assert.ok(!isFinished);
      assert.equal(await route.asked(0)[0]?.ended, 'left');
    });
  });
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURES = {
  'chat-completions': { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
  messages: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  responses: { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
};
