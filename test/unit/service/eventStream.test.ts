import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiClientOptions } from '../../../src/service/apiClient.ts';
import type { EventStream } from '../../../src/service/eventStream.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { runs } from '../../support/randomRuns.ts';
import {
  type Answer,
  answerJson,
  answerStream,
  answerText,
  eventStreamOf,
  ScriptedService,
} from '../../support/scriptedService.ts';
import * as wire from './wire.ts';

const HELLO = [
  wire.chunk({ role: 'assistant', content: '' }),
  wire.chunk({ content: 'Grüß 😀' }),
  wire.chunk({}, 'stop'),
];

describe('EventStream', () => {
  let service: ScriptedService;
  afterEach(() => service.close());

  async function open(
    answer: Answer,
    options: Partial<ApiClientOptions> = {},
    signal?: AbortSignal,
  ): Promise<EventStream<object>> {
    service = await ScriptedService.start(answer);
    const api = wire.clientOf(service, { retry: { retries: 0 }, ...options });
    return wire.chat(api, { signal });
  }

  const events = (...list: object[]) => list.map((event) => ({ type: 'event', event }));

  it('yields each validated event, then the end marker', async () => {
    const stream = await open(answerStream(eventStreamOf(...HELLO, '[DONE]')));
    assert.deepEqual(await wire.collect(stream), [...events(...HELLO), { type: 'done' }]);
    assert.equal((await service.request()).headers.accept, 'text/event-stream');
  });

  it('yields the same however the bytes are split', async () => {
    const text = eventStreamOf(...HELLO, '[DONE]').replaceAll('\n\n', '\r\n\r\n');
    for (const pieceBytes of [1, 2, 3, 7, 64]) {
      const stream = await open(answerStream(text, { pieceBytes }));
      assert.deepEqual(await wire.collect(stream), [...events(...HELLO), { type: 'done' }]);
      await service.close();
    }
  });

  it('yields any number of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 5, max: 500 }), async (texts, pieceBytes) => {
        const chunks = texts.map((content) => wire.chunk({ content }));
        const stream = await open(answerStream(eventStreamOf(...chunks), { pieceBytes }));
        assert.deepEqual(await wire.collect(stream), events(...chunks));
        await service.close();
      }),
      { numRuns: runs(8) },
    );
  });

  it('yields a malformed event as a value and continues', async () => {
    const stream = await open(
      answerStream(eventStreamOf(wire.chunk({ content: 'a' }), '{oops', wire.chunk({}, 'stop'), '[DONE]')),
    );
    const types = (await wire.collect(stream)).map(({ type }) => type);
    assert.deepEqual(types, ['event', 'malformed', 'event', 'done']);
  });

  it('skips comments and pings', async () => {
    const stream = await open(
      answerStream(`: hello\n\n${eventStreamOf(wire.chunk({ content: 'a' }))}: still here\n\n`),
    );
    assert.deepEqual(await wire.collect(stream), events(wire.chunk({ content: 'a' })));
  });

  it('yields the last event of a stream without the final blank line', async () => {
    const stream = await open(answerStream(eventStreamOf(wire.chunk({ content: 'a' })).trimEnd()));
    assert.deepEqual(await wire.collect(stream), events(wire.chunk({ content: 'a' })));
  });

  it('treats an answer without a content type as a stream', async () => {
    const stream = await open(answerText(eventStreamOf('[DONE]'), 200, {}));
    assert.deepEqual(await wire.collect(stream), [{ type: 'done' }]);
  });

  it('throws a network error if the connection breaks in the middle', async () => {
    const stream = await open(
      answerStream(eventStreamOf(wire.chunk({ content: 'a' })), { ending: 'cut', headers: { 'request-id': 'req_1' } }),
    );
    const error = await wire.rejection(wire.collect(stream));
    assert.deepEqual([error.kind, error.requestId], ['network', 'req_1']);
    assert.match(error.message, /was lost during the answer/);
  });

  it('closes the connection if the loop is exited early', async () => {
    const stream = await open(answerStream(eventStreamOf(...HELLO), { ending: 'stall' }));
    for await (const item of stream) {
      assert.equal(item.type, 'event');
      break;
    }
    assert.equal(await (await service.request()).ended, 'left');
  });

  it('closes the connection of an unread stream when requested', async () => {
    const stream = await open(answerStream(eventStreamOf(...HELLO), { ending: 'stall' }));
    stream.cancel();
    assert.equal(await (await service.request()).ended, 'left');
  });

  it('closes the connection and throws the reason if aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    const stream = await open(answerStream(eventStreamOf(...HELLO), { ending: 'stall' }), {}, controller.signal);
    const reading = (async () => {
      for await (const item of stream) {
        assert.equal(item.type, 'event');
        controller.abort(reason);
      }
    })();
    await assert.rejects(reading, reason);
    assert.equal(await (await service.request()).ended, 'left');
  });

  it('throws a timeout after too long a silence, and closes the connection', async () => {
    const clock = new ManualClock();
    const stream = await open(answerStream(eventStreamOf(wire.chunk({ content: 'a' })), { ending: 'stall' }), {
      clock,
    });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    const next = wire.rejection(iterator.next());
    clock.advance(120_000);
    const error = await next;
    assert.equal(error.kind, 'timeout');
    assert.match(error.message, /sent nothing for 120 seconds/);
    assert.equal(await (await service.request()).ended, 'left');
    assert.equal(clock.pending, 0);
  });

  it('has no total time limit, and treats comments as activity', async () => {
    const clock = new ManualClock();
    const pieces = 50;
    const step = Promise.withResolvers<void>();
    let send: (text: string) => void = () => undefined;
    const stream = await open(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        send = (text) => response.write(text);
        send(eventStreamOf(wire.chunk({ content: '0' })));
        step.promise.then(() => response.end());
      },
      { clock, firstByteMs: 1000 },
    );
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    for (let piece = 1; piece <= pieces; piece += 1) {
      const next = iterator.next();
      clock.advance(119_999);
      send(`: alive\n\n${eventStreamOf(wire.chunk({ content: String(piece) }))}`);
      assert.deepEqual((await next).value, events(wire.chunk({ content: String(piece) }))[0]);
    }
    step.resolve();
    assert.equal((await iterator.next()).done, true);
  });

  it('limits the wait for the headers', async () => {
    const clock = new ManualClock();
    service = await ScriptedService.start(() => undefined);
    const api = wire.clientOf(service, { clock, firstByteMs: 4000 });
    const failed = wire.rejection(wire.chat(api));
    await service.request();
    clock.advance(4000);
    assert.equal((await failed).kind, 'timeout');
  });

  it('ends after the last event even if the service keeps the connection open', async () => {
    const clock = new ManualClock();
    const stream = await open(answerStream(eventStreamOf(wire.chunk({}, 'stop'), '[DONE]'), { ending: 'stall' }), {
      clock,
    });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    assert.deepEqual((await iterator.next()).value, { type: 'done' });
    const end = iterator.next();
    clock.advance(250);
    assert.equal((await end).done, true);
    assert.equal(await (await service.request()).ended, 'left');
  });

  it('makes the connection reusable after a complete stream', async () => {
    const ports = new Set<number | undefined>();
    const answer: Answer = async (response, request) => {
      ports.add(response.socket?.remotePort);
      await answerStream(eventStreamOf(...HELLO, '[DONE]'))(response, request);
    };
    service = await ScriptedService.start(answer);
    const api = wire.clientOf(service);
    for (let i = 0; i < 6; i += 1) await wire.collect(await wire.chat(api));
    // The pool may open a second connection while the first one is being returned.
    assert.ok(ports.size <= 2, `${ports.size} connections`);
  });

  describe('if a complete body arrives instead of a stream', () => {
    it('throws the error in it', async () => {
      const error = await wire.rejection(open(answerJson({ error: { message: 'No.', code: 'model_not_found' } })));
      assert.deepEqual([error.kind, error.message], ['notFound', 'No.']);
    });

    it('converts a complete answer to a stream', async () => {
      const stream = await open(answerJson(wire.completion));
      const text = JSON.stringify(await wire.collect(stream));
      assert.match(text, /Good day\./);
      assert.match(text, /"finish_reason":"stop"/);
    });

    it('explains an HTML page', async () => {
      const page = answerText('<!doctype html><title>Welcome</title>', 200, {
        'content-type': 'text/html; charset=utf-8',
      });
      const error = await wire.rejection(open(page));
      assert.equal(error.kind, 'malformed');
      assert.match(error.message, /web page \(“Welcome”\)/);
    });

    it('explains JSON with an invalid structure', async () => {
      assert.equal((await wire.rejection(open(answerJson({ hello: 1 })))).kind, 'malformed');
    });
  });
});
