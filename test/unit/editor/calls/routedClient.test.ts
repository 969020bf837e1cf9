import assert from 'node:assert/strict';
import { CallUsage } from '../../../../src/calls/callUsage.ts';
import { type RouteServices, routedClient } from '../../../../src/editor/calls/routedClient.ts';
import { WorkerRpc } from '../../../../src/editor/worker/workerRpc.ts';
import type { HostMessage } from '../../../../src/gateway/worker/protocol.ts';
import type { RoutedFacts } from '../../../../src/ledger/routedFacts.ts';
import { streamChat } from '../../../../src/service/chat.ts';
import { eventually } from '../../../support/eventually.ts';
import * as wire from '../../service/wire.ts';

describe('a request for a route', () => {
  it('is priced with its last message, which follows a stop, too', async () => {
    const sent: HostMessage[] = [];
    const rpc = new WorkerRpc((message) => sent.push(message));
    const services = {
      worker: { rpc },
      sealing: { wrap: (fetch: typeof globalThis.fetch) => fetch },
      settings: { upstreams: { upstreams: [] } },
      readUpstream: async () => ({}),
    } as unknown as RouteServices;
    const usage = new CallUsage(() => 12);
    const { client, priced } = await routedClient(services, 'mine', usage);
    const stop = new AbortController();
    const request = {
      system: [],
      model: 'mine',
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] }],
    };
    const events = wire.collect(streamChat(client, 'messages', request, { signal: stop.signal }));
    const stopped = assert.rejects(events, { name: 'AbortError' });
    await eventually('the request', async () => sent.length > 0);
    stop.abort();
    await stopped;
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['ask', 'cancel'],
    );
    let isPriced = false;
    void priced()?.then(() => {
      isPriced = true;
    });
    await new Promise(setImmediate);
    assert.equal(isPriced, false);
    const facts: RoutedFacts = { answeredBy: 'm', entry: {}, isFinal: true, cost: 0.05 };
    rpc.receive({ type: 'answerFail', requestId: 1, message: 'The client has left.', facts });
    await priced();
    assert.equal(usage.costAt(undefined), 0.05);
  });
});
