/** Event streams as real servers write them, split anywhere, through the whole gateway. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { ServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { runs } from '../../../support/randomRuns.ts';
import { readEvents, split, splits } from '../../formats/streams.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

const TEXT = 'Grüße 🙂, 你好: "a\\b"\n\n\tdata: no event\r\n: no comment';
const USAGE = { inputTokens: 11, outputTokens: 7 };
const SAID: readonly ChatEvent[] = [
  { type: 'start', id: 'answer', model: 'm' },
  ...[...TEXT].map((text): ChatEvent => ({ type: 'textDelta', index: 0, text })),
  { type: 'toolCallStart', index: 1, id: 'call_1', name: 'look' },
  { type: 'toolCallDelta', index: 1, arguments: '{"city":"Tromsø"}' },
  { type: 'toolCallEnd', index: 1 },
  { type: 'usage', usage: USAGE },
  { type: 'finish', reason: 'toolCalls' },
];

interface Spelling {
  readonly lineEnd: string;
  readonly space: string;
  readonly beginning: string;
  readonly between: string;
  /** Whether the JSON is on several lines. */
  readonly isTall: boolean;
}

const spellings: fc.Arbitrary<Spelling> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  space: fc.constantFrom('', ' '),
  beginning: fc.constantFrom('', '\ufeff', '\ufeff: hello\n\n', '\n\n', 'retry: 3000\n\n'),
  between: fc.constantFrom('', ': keep-alive\n\n', ':\n', 'id: 7\n', 'unknown: field\n', '\n'),
  isTall: fc.boolean(),
});

function written(upstream: FormatName): readonly ServerSentEvent[] {
  const request = { model: 'm', system: [], messages: [], stream: true, includeUsage: true };
  const encoder = wireFormats[upstream].createStreamEncoder({ request, now: 1_800_000_000 });
  return [...SAID.flatMap((event) => encoder.push(event)), ...encoder.end()];
}

function spelt(events: readonly ServerSentEvent[], { lineEnd, space, beginning, between, isTall }: Spelling): string {
  const lines = events.map(({ event, data }) => {
    const name = event === undefined ? '' : `event:${space}${event}\n`;
    const whole = isTall && data.startsWith('{') ? JSON.stringify(JSON.parse(data), null, 1) : data;
    return `${name}${whole
      .split('\n')
      .map((line) => `data:${space}${line}\n`)
      .join('')}\n`;
  });
  return `${beginning}${lines.join(between)}`.replaceAll('\n', lineEnd);
}

function contentOf(events: readonly ChatEvent[]) {
  const text = events.map((event) => (event.type === 'textDelta' ? event.text : '')).join('');
  const written = events.map((event) => (event.type === 'toolCallDelta' ? event.arguments : '')).join('');
  const usage = events.findLast((event) => event.type === 'usage')?.usage;
  const finish = events.find((event) => event.type === 'finish')?.reason;
  return { text, written: JSON.parse(written), usage: [usage?.inputTokens, usage?.outputTokens], finish };
}

for (const caller of FORMAT_NAMES) {
  for (const upstream of FORMAT_NAMES) {
    describe(`a stream of ${upstream} for a client of ${caller}`, () => {
      afterEach(closeAll);

      it(`arrives completely, however it is formatted and split${caller === upstream ? ', byte for byte' : ''}`, async () => {
        let sent: readonly Uint8Array[] = [];
        const service = await startService(async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const piece of sent) {
            await new Promise((resolve) => response.write(piece, () => setImmediate(resolve)));
          }
          response.end();
        });
        closeLater(() => service.close());
        const settings = { id: 'one', baseUrl: service.baseAddress, formats: [upstream], models: ['*'] };
        const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
        closeLater(() => router.close());
        const { port, records } = await startGateway({ upstream: router });
        const { path, encodeRequest } = wireFormats[caller];
        const messages = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] as const;
        const asked = { model: 'm', maxTokens: 10, system: [], messages, stream: true, includeUsage: true };
        const body = JSON.stringify(encodeRequest(asked));

        const property = fc.asyncProperty(spellings, splits, async (spelling, sizes) => {
          const text = spelt(written(upstream), spelling);
          sent = split(Buffer.from(text), sizes);
          const answer = await send({ port, path: `/v1${path}`, body });
          assert.equal(answer.status, 200);
          assert.ok(answer.complete);
          if (caller === upstream) assert.equal(answer.body.toString(), text);
          const decoded = contentOf(readEvents(wireFormats[caller], answer.body.toString().replace(/^\ufeff/, '')));
          const usage = [USAGE.inputTokens, USAGE.outputTokens];
          assert.deepEqual(decoded, { text: TEXT, written: { city: 'Tromsø' }, usage, finish: 'toolCalls' });
        });
        await fc.assert(property, { numRuns: runs(5) });
        assert.ok(records.every(({ end }) => end === 'completed'));
      });
    });
  }
}
