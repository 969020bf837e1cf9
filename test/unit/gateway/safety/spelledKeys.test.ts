import assert from 'node:assert/strict';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { readWhole } from '../../../../src/gateway/translation/wholeBody.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { type Answer, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import { startService } from '../support/scriptedService.ts';

const SAID: Said = {
  parts: [
    { reasoning: `I was given ${SERVICE_KEY}, I think.` },
    { text: `The key is ${SERVICE_KEY}. And k, ke, key and key_ are no keys.` },
    { call: 'call_1', name: 'f', arguments: JSON.stringify({ key: SERVICE_KEY }) },
  ],
};

function question(format: FormatName, stream: boolean): string {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] as const;
  const tools = [{ name: 'f', parameters: { type: 'object' } }];
  const request = { model: 'm', maxTokens: 900, system: [], messages, tools, stream };
  return JSON.stringify(wireFormats[format].encodeRequest(request));
}

/** Returns the text that the caller assembles, and all other bytes unchanged. */
function read(answer: Answer, format: FormatName): { readonly said: string; readonly bytes: string } {
  const bytes = answer.body.toString();
  const { parts } = readWhole(wireFormats[format], bytes);
  return { said: parts.map((part) => (part.type === 'toolCall' ? part.arguments : part.text)).join('\n'), bytes };
}

describe('the service key in the output of a model', () => {
  afterEach(closeAll);

  for (const upstream of FORMAT_NAMES) {
    for (const caller of FORMAT_NAMES) {
      for (const stream of [true, false]) {
        const how = stream ? 'a stream' : 'one piece';
        it(`does not reach its caller of ${caller} from ${upstream}, in ${how}`, async () => {
          const { port } = await startRouter([{ formats: [upstream], apiKey: SERVICE_KEY, script: () => SAID }]);
          const path = `/v1${wireFormats[caller].path}`;
          const { said, bytes } = read(await send({ port, path, body: question(caller, stream) }), caller);
          assert.ok(!said.includes(SERVICE_KEY) && !bytes.includes(SERVICE_KEY), said);
          assert.match(said, /The key is [.\w]*\. And k, ke, key and key_ are no keys\./);
        });
      }
    }
  }

  for (const format of ['messages', 'responses'] as const) {
    it(`without its beginning is not in an answer of ${format} that is assembled from events`, async () => {
      const rest = SERVICE_KEY.slice(6);
      const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
      const service = await startService((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${event(`It is ${rest.slice(0, 9)}`)}${event(`${rest.slice(9)}!`)}data: [DONE]\n\n`);
      });
      closeLater(() => service.close());
      const settings = {
        id: 'up',
        baseUrl: service.baseAddress,
        formats: ['chat-completions'] as const,
        models: ['*'],
      };
      const upstream = new Router([{ ...settings, upstream: createCompatible({ ...settings, apiKey: SERVICE_KEY }) }]);
      closeLater(() => upstream.close());
      const { port } = await startGateway({ upstream });
      const path = `/v1${wireFormats[format].path}`;
      const answer = await send({ port, path, body: question(format, false) });
      assert.equal(read(answer, format).said, `It is ${'.'.repeat(rest.length)}!`);
    });
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
