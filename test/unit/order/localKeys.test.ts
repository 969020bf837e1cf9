/** Local keys that two windows create, change, rotate, and revoke at the same time. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LocalKeyStore } from '../../../src/editor/gateway/localKeyStore.ts';
import type { Budget, IssuedKey } from '../../../src/gateway/keys/issuedKey.ts';
import type { KeyList } from '../../../src/gateway/keys/keyList.ts';
import { LocalKeyError } from '../../../src/gateway/keys/keyTerms.ts';
import { AnyOrder } from '../../support/anyOrder.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action = 'create' | 'rename' | 'limit' | 'budget' | 'rotate' | 'revoke' | 'read';

const ACTIONS: readonly Action[] = ['create', 'create', 'rename', 'limit', 'budget', 'rotate', 'revoke', 'read'];
/** Each window changes terms of its own. */
const TERMS = [
  { limit: 'parallel', period: 'daily' },
  { limit: 'requestsPerMinute', period: 'monthly' },
] as const;

/** What one key must be in the end. */
class Expected {
  isRevoked = false;
  readonly secrets = new Set<string>();
  readonly names = new Set<string>();
  /** The figures of each limit and budget, of which the last one counts. */
  readonly figures = new Map<string, number>();
}

/** A window, and what it has seen. */
class Window {
  readonly keys: LocalKeyStore;
  readonly revoked = new Set<string>();
  announced: KeyList | undefined;

  constructor(secrets: ReturnType<typeof memorySecrets>) {
    const log = { error: (_: string, error: unknown) => assert.fail(String(error)) };
    this.keys = new LocalKeyStore(secrets as never, log as never);
    this.keys.onDidChange((list) => this.see(list));
  }

  see(list: KeyList): void {
    this.announced = list;
    for (const id of this.revoked)
      assert.equal(list.find(id), undefined, 'a key came back in the window that revoked it');
  }
}

/** What people do in the windows. */
class People {
  readonly #windows: readonly Window[];
  readonly #created: string[] = [];
  readonly expected = new Map<string, Expected>();

  constructor(windows: readonly Window[]) {
    this.#windows = windows;
  }

  async act(action: Action, index: number, number: number): Promise<unknown> {
    const [place, window] = index % 2 === 0 ? ([0, this.#windows[0]] as const) : ([1, this.#windows[1]] as const);
    assert.ok(window);
    const { keys } = window;
    if (action === 'create') return this.#create(await keys.create(`key ${number}`, {}));
    const list = await keys.read();
    window.see(list);
    const id = this.#created[index % Math.max(1, this.#created.length)] ?? '';
    const asked = list.find(id);
    const expected = this.expected.get(id);
    if (action === 'read' || asked === undefined || expected === undefined) return undefined;
    const { limit, period } = TERMS[place];
    switch (action) {
      case 'rotate':
        return expected.secrets.add((await keys.rotate(id)).secret);
      case 'revoke':
        await keys.revoke(id);
        expected.isRevoked = true;
        return window.revoked.add(id);
      case 'rename':
        await keys.change(id, `renamed ${number}`, asked, asked);
        return expected.names.add(`renamed ${number}`);
      case 'limit':
        await keys.change(id, asked.name, { ...asked, limits: { ...asked.limits, [limit]: number + 1 } }, asked);
        return expected.figures.set(limit, number + 1);
      case 'budget': {
        const others = (asked.budgets ?? []).filter((each) => each.period !== period);
        const budget: Budget = { amount: number + 1, unit: 'usd', period };
        await keys.change(id, asked.name, { ...asked, budgets: [...others, budget] }, asked);
        return expected.figures.set(period, number + 1);
      }
    }
  }

  #create({ id, name, secret }: IssuedKey): void {
    this.#created.push(id);
    const expected = new Expected();
    expected.names.add(name);
    expected.secrets.add(secret);
    this.expected.set(id, expected);
  }
}

describe('local keys, in any order of what is done and awaited in two windows', () => {
  const actions = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(7)), { minLength: 2, maxLength: 12 });

  it('lose no change, and no revoked key and no earlier secret comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const secrets = memorySecrets(order.delay);
        const windows = [new Window(secrets), new Window(secrets)];
        const people = new People(windows);
        order.plan(
          done.map(([action, index], number) => ({
            what: `${action} ${index}`,
            act: () => people.act(action, index, number),
          })),
        );
        await order.run();
        for (const error of order.errors) assert.ok(error instanceof LocalKeyError, String(error));
        const lists: KeyList[] = [];
        const read = async (window: Window) => lists.push(await window.keys.read());
        order.plan(windows.map((window) => ({ what: 'read', act: () => read(window) })));
        await order.run();
        const [here, there] = lists as [KeyList, KeyList];
        assert.ok(here.equals(there), 'the windows have different keys');
        for (const [id, expected] of people.expected) check(here.find(id), expected);
        for (const { announced, keys } of windows) {
          assert.ok(announced?.equals(here) !== false, 'other parts know something else');
          keys.dispose();
        }
      }),
      { numRuns: schedules(300) },
    );
  });
});

function check(key: IssuedKey | undefined, { isRevoked, names, secrets, figures }: Expected): void {
  assert.equal(key === undefined, isRevoked, 'a key was lost, or came back');
  if (key === undefined) return;
  assert.ok(names.has(key.name), 'a name was lost');
  assert.ok(secrets.has(key.secret), 'a secret was lost');
  assert.equal(key.rotatedAt !== undefined, secrets.size > 1, 'an earlier secret came back');
  for (const { limit, period } of TERMS) {
    assert.equal(key.limits?.[limit], figures.get(limit), 'a limit was lost');
    assert.equal(key.budgets?.find((each) => each.period === period)?.amount, figures.get(period), 'a budget was lost');
  }
}
