import assert from 'node:assert/strict';
import { type ChatResponse, writtenText } from '../../../../src/formats/answer.ts';
import {
  type AssistantPart,
  type ChatRequest,
  FORMAT_NAMES,
  type FormatName,
} from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { asStream, readWhole, TranslationContext } from '../../../../src/gateway/translation/wholeAnswer.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { type Answer, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import { type Script, startService } from '../support/scriptedService.ts';

const SAID: Said = {
  parts: [
    { reasoning: `I was given ${SERVICE_KEY}, I think.` },
    { text: `The key is ${SERVICE_KEY}. And k, ke, key and key_ are no keys.` },
    { call: 'call_1', name: 'f', arguments: JSON.stringify({ key: SERVICE_KEY }) },
  ],
};

const REQUEST: ChatRequest = {
  model: 'm',
  maxTokens: 900,
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  tools: [{ name: 'f', parameters: { type: 'object' } }],
  stream: true,
};
const ANSWER: ChatResponse = {
  id: 'a',
  model: 'm',
  parts: SAID.parts.map((part): AssistantPart => {
    if ('text' in part) return { type: 'text', text: part.text };
    if ('reasoning' in part) return { type: 'reasoning', text: part.reasoning };
    return { type: 'toolCall', id: part.call, name: part.name, arguments: part.arguments };
  }),
  finishReason: 'toolCalls',
  usage: { inputTokens: 1, outputTokens: 1 },
};

function question(format: FormatName, stream: boolean): string {
  return JSON.stringify(wireFormats[format].encodeRequest({ ...REQUEST, stream }));
}

/** Starts a gateway whose upstream of this format answers with a script. Returns its port. */
async function startQuoting(format: FormatName, script: Script): Promise<number> {
  const service = await startService(script);
  closeLater(() => service.close());
  const settings = { id: 'up', baseUrl: service.baseAddress, formats: [format], models: ['*'] };
  const upstream = new Router([{ ...settings, upstream: createCompatible({ ...settings, apiKey: SERVICE_KEY }) }]);
  closeLater(() => upstream.close());
  return (await startGateway({ upstream })).port;
}

/** Returns the text that the caller assembles, and all other bytes unchanged. */
function read(answer: Answer, format: FormatName): { readonly said: string; readonly bytes: string } {
  const bytes = answer.body.toString();
  const { parts } = readWhole(wireFormats[format], answer.body);
  return { said: parts.map(writtenText).join('\n'), bytes };
}

describe('the service key in the output of a model', () => {
  afterEach(closeAll);

  for (const upstream of FORMAT_NAMES) {
    for (const caller of FORMAT_NAMES) {
      it(`does not reach its caller of ${caller} from ${upstream}, in one piece`, async () => {
        const { port } = await startRouter([{ formats: [upstream], apiKey: SERVICE_KEY, script: () => SAID }]);
        const path = `/v1${wireFormats[caller].path}`;
        const { said, bytes } = read(await send({ port, path, body: question(caller, false) }), caller);
        assert.ok(!said.includes(SERVICE_KEY) && !bytes.includes(SERVICE_KEY), said);
        assert.match(said, /The key is [.\w]*\. And k, ke, key and key_ are no keys\./);
      });

      it(`does not reach its caller of ${caller} from ${upstream}, in one event of a stream, split between any bytes`, async () => {
        const events = Buffer.from(asStream(ANSWER, wireFormats[upstream], new TranslationContext(REQUEST)));
        const port = await startQuoting(upstream, async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const byte of events) {
            await new Promise((resolve) => response.write(Buffer.of(byte), () => setImmediate(resolve)));
          }
          response.end();
        });
        const path = `/v1${wireFormats[caller].path}`;
        const { said, bytes } = read(await send({ port, path, body: question(caller, true) }), caller);
        assert.ok(!said.includes(SERVICE_KEY) && !bytes.includes(SERVICE_KEY), said);
        assert.match(said, /The key is [.\w]*\. And k, ke, key and key_ are no keys\./);
      });
    }
  }

  it('in JSON escapes is not returned by a translation, neither decoded nor as it was sent', async () => {
    const escaped = SERVICE_KEY.replace('_', '\\u005f');
    const body = `{"id":"1","object":"chat.completion","model":"m","created":1,"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"It is ${escaped}!"}}]}`;
    const { port, service } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const passed = await send({ port, path: '/v1/chat/completions', body: question('chat-completions', false) });
    assert.equal(passed.body.length, body.length);
    assert.ok(!JSON.stringify(JSON.parse(passed.body.toString())).includes(SERVICE_KEY.slice(4)));
    closeLater(() => service.close().catch(() => undefined));
  });

  it('is not passed on in an encoding that cannot be searched', async () => {
    const { port, records } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'compress' }).end(SERVICE_KEY);
    });
    const answer = await send({ port, path: '/v1/messages', body: question('messages', false) });
    assert.equal(answer.status, 502);
    assert.match(answer.body.toString(), /content encoding compress/);
    assert.equal(records[0]?.end, 'upstreamFailed');
  });
});
