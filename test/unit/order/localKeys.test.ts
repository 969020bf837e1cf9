/** Local keys that are created, changed, rotated, and revoked at the same time. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LocalKeyStore } from '../../../src/editor/gateway/localKeyStore.ts';
import type { IssuedKey } from '../../../src/gateway/keys/issuedKey.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';
import { runs } from '../../support/randomRuns.ts';

type Action = 'create' | 'rename' | 'limit' | 'rotate' | 'revoke' | 'read';

const ACTIONS: readonly Action[] = ['create', 'create', 'rename', 'limit', 'rotate', 'revoke', 'read'];

describe('local keys, in any order of what is done and awaited', () => {
  const actions = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(3)), { minLength: 2, maxLength: 12 });

  it('lose no change, and no revoked key and no earlier secret comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const log = { error: (_: string, error: unknown) => assert.fail(String(error)) };
        const keys = new LocalKeyStore(memorySecrets(order.delay) as never, log as never);
        const created: IssuedKey[] = [];
        const revoked = new Set<string>();
        const secrets = new Map<string, string>();
        const limits = new Map<string, number>();
        const announced: (readonly IssuedKey[])[] = [];
        keys.onDidChange((list) => announced.push(list.keys));
        const act = async (action: Action, index: number, number: number): Promise<unknown> => {
          const key = created[index % Math.max(1, created.length)];
          if (action === 'create') {
            const one = await keys.create(`key ${number}`, {});
            created.push(one);
            return secrets.set(one.id, one.secret);
          }
          if (action === 'read' || key === undefined) return keys.read();
          if (action === 'rotate') return keys.rotate(key.id).then(({ secret }) => secrets.set(key.id, secret));
          if (action === 'revoke') return keys.revoke(key.id).then(() => revoked.add(key.id));
          const parallel = number + 1;
          if (action === 'limit')
            return keys
              .adjust(key.id, ({ name }) => ({ name, terms: { limits: { parallel } } }))
              .then(() => limits.set(key.id, parallel));
          return keys.adjust(key.id, ({ limits: own }) => ({
            name: `renamed ${number}`,
            terms: own === undefined ? {} : { limits: own },
          }));
        };
        order.plan(
          done.map(([action, index], number): Step => {
            return { what: `${action} ${index}`, act: () => act(action, index, number) };
          }),
        );
        await order.run();
        let last: readonly IssuedKey[] = [];
        order.plan([
          {
            what: 'read',
            act: async () => {
              last = (await keys.read()).keys;
            },
          },
        ]);
        await order.run();
        for (const { id } of created) {
          const now = last.find((key) => key.id === id);
          assert.equal(now === undefined, revoked.has(id), 'a key was lost, or came back');
          if (now === undefined) continue;
          assert.equal(now.secret, secrets.get(id), 'an earlier secret came back');
          assert.equal(now.limits?.parallel, limits.get(id), 'a change was lost');
        }
        assert.deepEqual(announced.at(-1) ?? last, last, 'other parts know something else');
        keys.dispose();
      }),
      { numRuns: runs(300) },
    );
  });
});
