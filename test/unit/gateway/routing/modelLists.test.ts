import assert from 'node:assert/strict';
import { ANSWERED, sendJson } from '../../../../src/gateway/core/gatewayAnswer.ts';
import { Member } from '../../../../src/gateway/routing/member.ts';
import { ModelLists } from '../../../../src/gateway/routing/modelLists.ts';

describe('the model details that upstreams list', () => {
  it('are requested again after a while if an upstream returned no list', async () => {
    let now = 0;
    let asked = 0;
    const member = new Member({
      upstream: {
        id: 'u',
        send: (_request, sink) => {
          asked += 1;
          sendJson(sink, asked === 1 ? 503 : 200, { data: [{ id: 'm', context_window: 9 }] });
          return ANSWERED;
        },
        close: async () => undefined,
      },
    });
    const lists = new ModelLists([member], new Map(), () => now);
    const known = async () => {
      await lists.load(member);
      return [asked, lists.known(member, 'm')?.context_window];
    };
    assert.deepEqual(await known(), [1, undefined]);
    now = 29_999;
    assert.deepEqual(await known(), [1, undefined]);
    now = 30_000;
    assert.deepEqual(await known(), [2, 9]);
    now = 120_000;
    assert.deepEqual(await known(), [2, 9]);
    await member.close();
  });
});

describe('the lists of models of an upstream', () => {
  it('are requested once for all clients that wait for them', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<void>();
    const member = new Member({
      upstream: {
        id: 'u',
        send: (_request, sink) => {
          asked += 1;
          void answer.promise.then(() => sendJson(sink, 200, { data: [{ id: 'm' }] }));
          return ANSWERED;
        },
        close: async () => undefined,
      },
    });
    const lists = new ModelLists([member], new Map());
    const waiting = [lists.list('one'), lists.list('two')];
    answer.resolve();
    for (const models of await Promise.all(waiting)) assert.deepEqual([...models.keys()], ['m']);
    assert.equal(asked, 1);
    await lists.list('three');
    assert.equal(asked, 2);
    await member.close();
  });
});
