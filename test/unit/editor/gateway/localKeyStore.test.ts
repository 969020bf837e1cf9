import assert from 'node:assert/strict';
import { LocalKeyStore } from '../../../../src/editor/gateway/localKeyStore.ts';
import { formOfKey, termsOfChange } from '../../../../src/pages/localKey/changedKey.ts';
import { readForm } from '../../../../src/pages/localKey/readForm.ts';
import type { BudgetPeriod } from '../../../../src/rules/period.ts';
import { window } from '../../../support/editorApi/vscode.ts';
import { eventually } from '../../../support/eventually.ts';
import { memorySecrets } from '../../../support/memorySecrets.ts';

const LOG = { error: (_: string, error: unknown) => assert.fail(String(error)) };

describe('the local keys of a user', () => {
  const asked = { ...window };
  afterEach(() => Object.assign(window, asked));

  it('keep what was changed while their page was filled in', async () => {
    const keys = new LocalKeyStore(memorySecrets() as never, LOG as never);
    const { id } = await keys.create('codex', { models: ['small'] });
    const before = (await keys.read()).find(id) ?? assert.fail();
    const form = formOfKey(before, ['small']);
    const filled = { ...form, budgets: { ...form.budgets, daily: '5' } };
    await keys.change(id, 'codex at work', { limits: { parallel: 2 } });
    const { name: typed, terms } = readForm(filled, [], Date.now());
    await keys.change(id, typed, termsOfChange(terms, filled, before), before);
    const { name, limits, models, budgets } = (await keys.read()).find(id) ?? assert.fail();
    assert.deepEqual([name, limits, models, budgets?.length], ['codex at work', { parallel: 2 }, undefined, 1]);
    keys.dispose();
  });

  it('are not changed if the key was revoked while the user was asked', async () => {
    const keys = new LocalKeyStore(memorySecrets() as never, LOG as never);
    const { id } = await keys.create('codex', {});
    await keys.revoke(id);
    await assert.rejects(keys.change(id, 'codex', {}), /no longer exists/);
    keys.dispose();
  });

  it('keep other budgets and limits that were changed while the user was asked for one', async () => {
    const keys = new LocalKeyStore(memorySecrets() as never, LOG as never);
    const { id } = await keys.create('codex', { limits: { parallel: 1 } });
    const asked = (await keys.read()).find(id) ?? assert.fail();
    const budget = (period: BudgetPeriod) => ({ amount: 5, unit: 'usd', period }) as const;
    await keys.change(id, 'codex', { budgets: [budget('monthly')], limits: { parallel: 2 } });
    await keys.change(id, 'codex', { ...asked, budgets: [budget('daily')] }, asked);
    const { budgets, limits } = (await keys.read()).find(id) ?? assert.fail();
    assert.deepEqual([budgets, limits], [[budget('daily'), budget('monthly')], { parallel: 2 }]);
    keys.dispose();
  });

  describe('in two windows', () => {
    const opened = (secrets: ReturnType<typeof memorySecrets>) => new LocalKeyStore(secrets as never, LOG as never);
    const namesIn = async (store: LocalKeyStore) => (await store.read()).keys.map(({ name }) => name);
    /** The two windows act at the same moment: each storing waits until both have read. */
    const bothHaveRead = () => {
      let reading = 2;
      const read = Promise.withResolvers<void>();
      return async (what: string) => {
        if (what === 'read the secret' && reading > 0) {
          reading -= 1;
          if (reading === 0) read.resolve();
        }
        if (what === 'store the secret') await read.promise;
      };
    };

    it('lose nothing that both change at the same moment, and no revoked key comes back', async () => {
      let delay: (what: string) => Promise<void> = async () => undefined;
      const secrets = memorySecrets((what) => delay(what));
      const [one, two] = [opened(secrets), opened(secrets)];
      const { id } = await one.create('lost laptop', {});
      await Promise.all([one.read(), two.read()]);
      delay = bothHaveRead();
      await Promise.all([one.revoke(id), two.create('codex', {})]);
      for (const window of [one, two]) assert.deepEqual(await namesIn(window), ['default', 'codex']);
      await eventually('both changes in the storage', async () => {
        const fresh = opened(secrets);
        const names = await namesIn(fresh);
        fresh.dispose();
        return names.join() === 'default,codex';
      });
      for (const window of [one, two]) window.dispose();
    });

    it('have the same first key if both start at the same moment', async () => {
      const secrets = memorySecrets(bothHaveRead());
      const [one, two] = [opened(secrets), opened(secrets)];
      await Promise.all([one.read(), two.read()]);
      const lists = await Promise.all([one.read(), two.read()]);
      assert.deepEqual(
        lists.map(({ keys }) => keys.length),
        [1, 1],
      );
      assert.deepEqual(lists[0], lists[1]);
      for (const window of [one, two]) window.dispose();
    });

    it('do not revive a key that is revoked here when a window without shared secrets reports it', async () => {
      const [one, two] = [opened(memorySecrets()), opened(memorySecrets())];
      const { id } = await one.create('codex', {});
      const shared = async (store: LocalKeyStore) => {
        const { keys, revoked } = await store.read();
        return { localKeys: keys, revokedKeys: revoked };
      };
      await two.adopt(await shared(one));
      await one.revoke(id);
      await two.create('aider', {});
      await one.adopt(await shared(two));
      await two.adopt(await shared(one));
      for (const window of [one, two]) {
        assert.deepEqual(await namesIn(window), ['default', 'aider']);
        window.dispose();
      }
    });
  });
});
