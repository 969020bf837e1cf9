import assert from 'node:assert/strict';
import { Lazy } from '../../../src/editor/lazy.ts';

describe('a lazy value', () => {
  it('is created once for all callers', async () => {
    let made = 0;
    const lazy = new Lazy(async () => ({ number: ++made }));
    assert.equal(lazy.current, undefined);
    assert.deepEqual(await Promise.all([lazy.get(), lazy.get()]), [{ number: 1 }, { number: 1 }]);
    assert.equal(lazy.current, await lazy.get());
  });

  it('is created again after a failure', async () => {
    let attempts = 0;
    const lazy = new Lazy(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('The file is locked.');
      return { attempts };
    });
    await assert.rejects(lazy.get(), /locked/);
    assert.deepEqual(await lazy.get(), { attempts: 2 });
  });

  it('is created once again for all callers after a failure', async () => {
    let attempts = 0;
    const lazy = new Lazy(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('The file is locked.');
      return { attempts };
    });
    const again = () => lazy.get().catch(() => lazy.get());
    const [one, other] = await Promise.all([again(), again()]);
    assert.deepEqual([one, one === other], [{ attempts: 2 }, true]);
  });

  it('is disposed only if it was created', async () => {
    const disposed: string[] = [];
    const make = async () => ({ dispose: () => disposed.push('it') });
    const [used, unused] = [new Lazy(make), new Lazy(make)];
    await used.get();
    for (const lazy of [used, unused]) lazy.dispose();
    assert.deepEqual(disposed, ['it']);
  });
});
