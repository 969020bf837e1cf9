import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatRequest } from '../../../src/formats/conversation.ts';
import type { JsonRecord } from '../../../src/formats/json.ts';
import { messages } from '../../../src/formats/messages/index.ts';
import { streamChat, withCacheHints } from '../../../src/service/chat.ts';
import { KnownRefusals } from '../../../src/service/knownRefusals.ts';
import { agentSession } from '../../support/agentSessions.ts';
import { costOf, leastCost, PrefixCache } from '../../support/prefixCache.ts';
import { runs } from '../../support/randomRuns.ts';
import { answerJson, answerStream, eventStreamOf, ScriptedService } from '../../support/scriptedService.ts';
import * as wire from './wire.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const encode = (request: ChatRequest) => messages.encodeRequest(withCacheHints(request)) as unknown as JsonRecord;

const REQUEST: ChatRequest = {
  model: 'm',
  system: [text('One.'), text('Two.')],
  tools: [
    { name: 'a', parameters: {} },
    { name: 'b', parameters: {} },
  ],
  messages: [
    { role: 'user', parts: [text('first')] },
    { role: 'assistant', parts: [{ type: 'toolCall', id: 'c', name: 'a', arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c', content: [text('result')] }] },
    { role: 'assistant', parts: [text('answer')] },
    { role: 'user', parts: [text('second'), text('')] },
  ],
};

describe('cache hints for a service', () => {
  it('are on the last tool, the last system prompt, and the last two turns', () => {
    const marked: string[] = [];
    JSON.stringify(encode(REQUEST), (_, value) => {
      if (value?.cache_control !== undefined) marked.push(value.text ?? value.name ?? value.type);
      return value;
    });
    assert.deepEqual(marked.sort(), ['Two.', 'b', 'second', 'tool_result']);
  });

  it('are not added to a request that already has some', () => {
    const own = { ...REQUEST, system: [{ ...text('One.'), cacheHint: { ttl: '1h' } }] };
    assert.equal(withCacheHints(own), own);
  });

  it('leave all other bytes of a growing conversation unchanged, so that its prefix stays cacheable', () => {
    const unmarked = (request: ChatRequest) => {
      const {
        tools,
        system,
        messages: sent,
      } = JSON.parse(JSON.stringify(encode(request), (name, value) => (name === 'cache_control' ? undefined : value)));
      // For the service, a text is equal to a list with one text.
      const listed = (content: unknown) => (typeof content === 'string' ? [text(content)] : content);
      return {
        head: JSON.stringify([tools, listed(system)]),
        sent: sent.map(({ role, content }: JsonRecord) => JSON.stringify([role, listed(content)])),
      };
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const requests = agentSession(seed).map(({ request }) => unmarked(request));
        for (const [index, { head, sent }] of requests.entries()) {
          const before = requests[index - 1];
          if (before === undefined) continue;
          assert.equal(head, before.head);
          assert.deepEqual(sent.slice(0, before.sent.length), before.sent);
        }
      }),
      { numRuns: runs(5) },
    );
  });

  it('make sessions cost at most 1.05 times the minimum that the cache rules allow', () => {
    const ratios = Array.from({ length: runs(10) }, (_, seed) => {
      const cache = new PrefixCache();
      const requests = agentSession(seed + 1).map(({ request, at }) => ({ body: encode(request), at }));
      const paid = requests.reduce((sum, { body, at }) => sum + costOf(cache.answer(body, at)), 0);
      return { paid, least: leastCost(requests) };
    });
    const paid = ratios.reduce((sum, each) => sum + each.paid, 0);
    const least = ratios.reduce((sum, each) => sum + each.least, 0);
    assert.ok(paid >= least, 'nothing is cheaper than the least');
    assert.ok(paid <= 1.05 * least, `${paid.toFixed(4)} of ${least.toFixed(4)}`);
  });
});

describe('a service that rejects cache hints', () => {
  let service: ScriptedService;
  afterEach(() => service.close());

  const refusal = (message: string) =>
    answerJson({ type: 'error', error: { type: 'invalid_request_error', message } }, 400);
  const done = answerStream(
    eventStreamOf(
      { type: 'message_start', message: { ...wire.message, content: [], stop_reason: null } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ),
  );

  async function ask(client: Parameters<typeof streamChat>[0]): Promise<void> {
    for await (const _ of streamChat(client, 'messages', REQUEST));
  }

  it('receives the request again without them, and all later ones too', async () => {
    service = await ScriptedService.start(refusal('system.1.cache_control: Extra inputs are not permitted'), done);
    const client = wire.clientOf(service);
    await ask(client);
    await ask(client);
    const sent = service.requests.map(({ body }) => body.includes('cache_control'));
    assert.deepEqual(sent, [true, false, false]);
  });

  it('receives the request again without a parameter of the settings that its newer models refuse', async () => {
    service = await ScriptedService.start(refusal('`temperature` is deprecated for this model.'), done);
    const client = wire.clientOf(service);
    for (const _ of [1, 2]) for await (const __ of streamChat(client, 'messages', { ...REQUEST, temperature: 0.2 }));
    const sent = service.requests.map(({ body }) => body.includes('temperature'));
    assert.deepEqual(sent, [true, false, false]);
    assert.deepEqual([client.refusals.of('m'), client.refusals.of('n')], [[['temperature']], []]);
  });

  it('receives no refused parameter after a restart either', async () => {
    service = await ScriptedService.start(refusal('`temperature` is deprecated for this model.'), done);
    let kept: unknown;
    const store = {
      get: () => kept,
      set: (value: unknown) => {
        kept = JSON.parse(JSON.stringify(value));
      },
    };
    for (const _ of [1, 2]) {
      const client = wire.clientOf(service, { refusals: new KnownRefusals(store) });
      for await (const __ of streamChat(client, 'messages', { ...REQUEST, temperature: 0.2 }));
    }
    const sent = service.requests.map(({ body }) => body.includes('temperature'));
    assert.deepEqual(sent, [true, false, false]);
  });

  it('reads nothing from a store with other contents', () => {
    for (const kept of [undefined, null, 'x', [], { m: 1 }, { m: { sets: [[1]], until: Infinity } }]) {
      assert.deepEqual(new KnownRefusals({ get: () => kept, set: () => undefined }).of('m'), []);
    }
  });

  it('does not receive the request again if it rejects something else', async () => {
    service = await ScriptedService.start(refusal('Your credit balance is too low.'));
    await assert.rejects(ask(wire.clientOf(service)), /balance/);
    assert.equal(service.requests.length, 1);
  });

  it('receives a request in other forms if it rejects it in words that nobody knows, and then only in the accepted one', async () => {
    const nope = refusal('この要求は処理できません。');
    service = await ScriptedService.start(nope, nope, done);
    const client = wire.clientOf(service);
    const asked = { ...REQUEST, userId: 'u', temperature: 0.2 };
    for (const _ of [1, 2]) for await (const __ of streamChat(client, 'messages', asked));
    const sent = service.requests.map(({ body }) => body);
    assert.equal(sent.length, 4);
    assert.ok(sent[0]?.includes('temperature') && !sent[2]?.includes('temperature'));
    assert.equal(sent[3], sent[2]);
    client.refusals.forget('m');
    assert.deepEqual([client.refusals.models, client.refusals.of('m')], [[], []]);
  });

  for (const words of ['Das geht nicht.', 'metadata: Extra inputs are not permitted']) {
    it(`receives a request that it rejects in any form once, from the second time on: ${words}`, async () => {
      service = await ScriptedService.start(refusal(words));
      const client = wire.clientOf(service);
      const send = async () => {
        for await (const _ of streamChat(client, 'messages', { ...REQUEST, userId: 'u' }));
      };
      await assert.rejects(send(), new RegExp(words));
      const tries = service.requests.length;
      assert.ok(tries > 1 && tries <= 4);
      await assert.rejects(send(), new RegExp(words));
      assert.equal(service.requests.length, tries + 1);
    });
  }
});
