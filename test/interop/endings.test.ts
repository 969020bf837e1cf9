import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import { WebSocketServer } from 'ws';
import { FORMAT_NAMES, type FormatName } from '../../src/formats/conversation.ts';
import { wireFormats } from '../../src/formats/index.ts';
import { ServerSentEventDecoder } from '../../src/formats/serverSentEvents.ts';
import { Router } from '../../src/gateway/routing/router.ts';
import { createCompatible } from '../../src/gateway/upstreams/compatible.ts';
import { chatCompletionEvents } from '../support/modelServer/chatCompletions.ts';
import { messageEvents } from '../support/modelServer/messages.ts';
import { responseEvents } from '../support/modelServer/responses.ts';
import { USAGE } from '../support/modelServer/script.ts';
import { runs } from '../support/randomRuns.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater, type RunningGateway, startGateway } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';

const SAID = { parts: [{ text: 'Half of what there was to say, in several words.' }] };
const STREAMS: Readonly<Record<FormatName, string>> = {
  'chat-completions': chatCompletionEvents(SAID, 'm').join(''),
  messages: messageEvents(SAID, 'm').join(''),
  responses: responseEvents(SAID, 'm').join(''),
};
const REASON = 'The model ran out of luck.';
/** Errors that follow some events: in an event of the format, as plain JSON in one line or in several. */
const ERRORS: Readonly<Record<string, (format: FormatName) => string>> = {
  event: (format) => {
    const error = { type: 'error', error: { type: 'api_error', message: REASON } };
    const data = format === 'responses' ? { type: 'error', code: null, message: REASON, param: null } : error;
    return `${format === 'chat-completions' ? '' : 'event: error\n'}data: ${JSON.stringify(data)}\n\n`;
  },
  line: () => JSON.stringify({ error: { message: REASON } }),
  block: () => `${JSON.stringify({ error: { message: REASON, type: 'server_error' } }, null, 2)}\n\n`,
};
/** How a stream ends: its connection closes after so many bytes, or is reset. */
interface Ending {
  readonly bytes: number;
  readonly isReset: boolean;
}

/** What an official SDK makes of a stream. */
interface Read {
  readonly text: string;
  readonly error: unknown;
}

const SDKS: Readonly<Record<FormatName, (port: number) => AsyncGenerator<string>>> = {
  async *'chat-completions'(port) {
    const sdk = new OpenAI({ baseURL: `http://127.0.0.1:${port}/api/v1`, apiKey: LOCAL_KEY, maxRetries: 0 });
    const stream_options = { include_usage: true };
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    for await (const chunk of await sdk.chat.completions.create({ model: 'm', messages, stream: true, stream_options }))
      yield chunk.choices[0]?.delta.content ?? '';
  },
  async *messages(port) {
    const sdk = new Anthropic({ baseURL: `http://127.0.0.1:${port}/api`, apiKey: LOCAL_KEY, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    for await (const event of await sdk.messages.create({ model: 'm', max_tokens: 99, messages, stream: true }))
      yield event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '';
  },
  async *responses(port) {
    const sdk = new OpenAI({ baseURL: `http://127.0.0.1:${port}/api/v1`, apiKey: LOCAL_KEY, maxRetries: 0 });
    for await (const event of await sdk.responses.create({ model: 'm', input: 'Hi', stream: true }))
      yield event.type === 'response.output_text.delta' ? event.delta : '';
  },
};

async function read(format: FormatName, port: number): Promise<Read> {
  let text = '';
  try {
    for await (const piece of SDKS[format](port)) text += piece;
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

/** What a stream says before it ends, according to a decoder of its format. */
function saidBefore(format: FormatName, part: string) {
  const decoder = wireFormats[format].createStreamDecoder();
  const bytes = new ServerSentEventDecoder();
  const items = [...bytes.push(Buffer.from(part)), ...bytes.end()].map((event) =>
    wireFormats[format].parseEvent(event),
  );
  const before = items.flatMap((item) => decoder.push(item));
  const events = [...before, ...decoder.end()];
  return {
    text: events.map((event) => (event.type === 'textDelta' ? event.text : '')).join(''),
    isFinished: !events.some(({ type }) => type === 'error'),
    isCounted: before.some((event) => event.type === 'usage' && event.isPartial !== true),
  };
}

async function check(
  [caller, upstream]: readonly [FormatName, FormatName],
  router: RunningGateway,
  part: string,
  isReset: boolean,
): Promise<void> {
  const recorded = router.nextRecord();
  const { text, error } = await read(caller, router.port);
  const said = saidBefore(upstream, part);
  const { usage, usageIsEstimated } = await recorded;
  // After a reset, an event without its blank line may be lost, as the standard for event streams says.
  const whole = isReset ? saidBefore(upstream, part.slice(0, part.lastIndexOf('\n\n') + 2)).text : said.text;
  assert.ok(text === said.text || text === whole, `${text} instead of ${said.text}`);
  if (error === undefined) assert.ok(said.isFinished, 'it has ended cleanly');
  else {
    assert.ok(error instanceof OpenAI.APIError || error instanceof Anthropic.APIError, String(error));
    assert.match(error.message, /Connection error|ended its answer without any output/);
    assert.ok(!said.isFinished || isReset, 'its end was lost');
  }
  if (said.isCounted) assert.deepEqual([usage?.outputTokens, usageIsEstimated], [USAGE.completion, undefined]);
}

for (const upstream of FORMAT_NAMES) {
  for (const caller of FORMAT_NAMES) {
    describe(`a stream of ${upstream} that ends anywhere, for the official SDK of ${caller}`, () => {
      afterEach(closeAll);
      const whole = STREAMS[upstream];
      const start = async (ending: () => Ending) => {
        const script = () => {
          const { bytes, isReset } = ending();
          return { stream: whole.slice(0, bytes), ending: isReset ? ('cut' as const) : ('end' as const) };
        };
        return startRouter([{ formats: [upstream], script }]);
      };

      it('is read up to there, with the true reason or a true end, and its usage is counted', async () => {
        let ending: Ending = { bytes: 0, isReset: false };
        const router = await start(() => ending);
        const bytes = fc.oneof(fc.nat(whole.length), fc.constantFrom(...lineEnds(whole)));
        const property = fc.asyncProperty(bytes, fc.boolean(), async (end, isReset) => {
          ending = { bytes: end, isReset };
          await check([caller, upstream], router, whole.slice(0, end), isReset);
        });
        const last = [1, 2, 3].map((missing): [number, boolean] => [whole.length - missing, false]);
        await fc.assert(property, { numRuns: runs(8), examples: last });
      });

      it('has the reason of an error that follows its events, in any form', async () => {
        let stream = '';
        const router = await startRouter([{ formats: [upstream], script: () => ({ stream }) }]);
        const ends = [0, ...[...whole.matchAll(/\n\n/g)].map(({ index }) => index + 2)];
        const property = fc.asyncProperty(
          fc.constantFrom(...ends),
          fc.constantFrom(...Object.keys(ERRORS)),
          async (end, form) => {
            const before = whole.slice(0, end);
            stream = before + ERRORS[form]?.(upstream);
            const said = saidBefore(upstream, before);
            const { text, error } = await read(caller, router.port);
            if (said.isFinished && error === undefined) {
              assert.equal(text, said.text);
              return;
            }
            assert.ok(error instanceof OpenAI.APIError || error instanceof Anthropic.APIError, String(error));
            assert.ok(error.message.includes(REASON), `${form} after ${end}: ${error.message}`);
            assert.equal(text, said.text);
          },
        );
        await fc.assert(property, { numRuns: runs(8) });
      });
    });
  }
}

/** The positions before and after each line end. */
function lineEnds(stream: string): number[] {
  return [...stream.matchAll(/\n/g)].flatMap(({ index }) => [index, index + 1]);
}

describe('a stream of responses over WebSocket that ends anywhere, for the official SDK', () => {
  afterEach(closeAll);
  const events = responseEvents(SAID, 'm').map((event) => /^data: (.*)$/m.exec(event)?.[1] ?? '');

  it('is read up to there, or asked for over HTTP, with the reason or a true end', async () => {
    let ending = { events: 0, code: 1000 };
    let overHttp = 0;
    const server = createServer((request, response) => {
      if (request.method === 'POST') overHttp += 1;
      const [status, type] = request.method === 'POST' ? [200, 'text/event-stream'] : [404, 'text/plain'];
      response.writeHead(status, { 'content-type': type }).end(status === 200 ? STREAMS.responses : '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sockets = new WebSocketServer({ server }).on('connection', (socket) => {
      socket.on('message', () => {
        for (const event of events.slice(0, ending.events)) socket.send(event);
        if (ending.code === 0) socket.terminate();
        else socket.close(ending.code);
      });
    });
    closeLater(async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const codes = fc.constantFrom(0, 1000, 1001, 1008, 1009, 1011, 1012, 4000);
    const property = fc.asyncProperty(fc.nat(events.length), codes, async (count, code) => {
      ending = { events: count, code };
      overHttp = 0;
      // Each has an upstream of its own, because a connection that was closed is remembered.
      const formats: FormatName[] = ['responses'];
      const settings = { id: 'up', baseUrl, formats, models: ['*'], webSocket: true };
      const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
      closeLater(() => router.close());
      const { text, error } = await read('responses', (await startGateway({ upstream: router })).port);
      const said = saidBefore('responses', responseEvents(SAID, 'm').slice(0, count).join(''));
      assert.equal(overHttp, count === 0 ? 1 : 0);
      if (count === 0 || said.isFinished) assert.deepEqual([text, error], [SAID.parts[0]?.text, undefined]);
      else {
        assert.ok(error instanceof OpenAI.APIError, String(error));
        assert.equal(text, said.text);
      }
    });
    await fc.assert(property, { numRuns: runs(12), examples: codesAtStart() });
  });

  function codesAtStart(): [number, number][] {
    return [
      [0, 1009],
      [0, 0],
      [events.length, 1000],
    ];
  }
});
