import assert from 'node:assert/strict';
import { LocalKeyStore } from '../../../../src/editor/gateway/localKeyStore.ts';
import { editBudgets } from '../../../../src/editor/localKeys/editKey.ts';
import { window } from '../../../support/editorApi/vscode.ts';
import { memorySecrets } from '../../../support/memorySecrets.ts';

const LOG = { error: (_: string, error: unknown) => assert.fail(String(error)) };

describe('the local keys of a user', () => {
  const asked = { ...window };
  afterEach(() => Object.assign(window, asked));

  it('keep what was changed while the user was asked for something else', async () => {
    const keys = new LocalKeyStore(memorySecrets() as never, LOG as never);
    const { id } = await keys.create('codex', { models: ['small'] });
    const before = (await keys.read()).find(id) ?? assert.fail();
    const answer = Promise.withResolvers<unknown>();
    Object.assign(window, {
      showQuickPick: async (items: readonly { readonly value: string }[]) => {
        await answer.promise;
        return items.find(({ value }) => value === 'usd') ?? items[0];
      },
      showInputBox: async () => '5',
    });
    const edited = editBudgets(before, keys);
    await keys.change(id, 'codex at work', { limits: { parallel: 2 } });
    answer.resolve(undefined);
    await edited;
    const { name, limits, models, budgets } = (await keys.read()).find(id) ?? assert.fail();
    assert.deepEqual([name, limits, models, budgets?.length], ['codex at work', { parallel: 2 }, undefined, 1]);
    keys.dispose();
  });

  it('are not changed if the key was revoked while the user was asked', async () => {
    const keys = new LocalKeyStore(memorySecrets() as never, LOG as never);
    const { id } = await keys.create('codex', {});
    await keys.revoke(id);
    await assert.rejects(
      keys.adjust(id, ({ name }) => ({ name, terms: {} })),
      /no longer exists/,
    );
    keys.dispose();
  });
});
