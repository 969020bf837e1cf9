import assert from 'node:assert/strict';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { Ledger } from '../../../../src/ledger/ledger.ts';
import { readBalance } from '../../../../src/service/balance.ts';
import { entry } from '../../ledger/entries.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import {
  AskedBudgets,
  dollars,
  errorOf,
  freshBudgets,
  keyWith,
  MAX_OF_PLANNED,
  MIDNIGHT,
  NOON,
  planned,
  reservationOf,
  tokens,
} from './planned.ts';

describe('the budget of a local key', () => {
  const clock = { now: NOON };
  let budgets: AskedBudgets;

  beforeEach(() => {
    clock.now = NOON;
    budgets = freshBudgets(() => clock.now);
  });

  afterEach(removeFolders);

  it('allows every request if none is set', () => {
    const { settle } = reservationOf(budgets.ask(keyWith(), { model: 'm', inputTokens: 1e9, maxOutputTokens: 1e9 }));
    settle([{ usage: { inputTokens: 1e9, outputTokens: 1e9 } }]);
    assert.equal(budgets.balance(keyWith()), undefined);
  });

  it('allows requests that fit to the last token, and none beyond', () => {
    const key = tokens(3 * MAX_OF_PLANNED);
    for (let count = 0; count < 3; count += 1) assert.ok(budgets.ask(key, planned).ok);
    assert.ok(!budgets.ask(key, { ...planned, inputTokens: 0, maxOutputTokens: 1 }).ok);
    assert.ok(!budgets.ask(tokens(MAX_OF_PLANNED - 1), { ...planned }).ok);
  });

  it('releases what a request did not use', () => {
    const key = tokens(MAX_OF_PLANNED + 30);
    const first = reservationOf(budgets.ask(key, planned));
    assert.ok(!budgets.ask(key, planned).ok);
    first.settle([{ usage: { inputTokens: 10, outputTokens: 20 } }]);
    assert.ok(budgets.ask(key, planned).ok);
  });

  it('releases everything that was reserved for a request that was not answered', () => {
    const key = dollars(0.002);
    const first = reservationOf(budgets.ask(key, planned));
    assert.ok(!budgets.ask(key, planned).ok);
    first.release();
    assert.ok(budgets.ask(key, planned).ok);
  });

  it('lets a request wait for what others have reserved, and never for what it has reserved itself', () => {
    const key = tokens(MAX_OF_PLANNED + 1_000);
    const first = reservationOf(budgets.ask(key, planned));
    const mayWait = (exchangeId?: string) => {
      const verdict = budgets.ask(key, planned, NOON, exchangeId);
      assert.ok(!verdict.ok);
      return verdict.mayWait;
    };
    assert.equal(mayWait(), true);
    assert.equal(mayWait(first.exchangeId), false);
  });

  it('refuses every request once it is used up', () => {
    const key = dollars(0.002);
    reservationOf(budgets.ask(key, planned)).settle([{ usage: { inputTokens: 2000, outputTokens: 2000 } }]);
    const free = { model: 'm', inputTokens: 0, maxOutputTokens: 0, prices: { inputPrice: 0, outputPrice: 0 } };
    assert.equal(errorOf(budgets.ask(key, free)).status, 402);
  });

  it('in dollars refuses a model without a price, and in tokens allows it', () => {
    const { prices: _, ...unpriced } = planned;
    for (const request of [unpriced, { ...unpriced, prices: { inputPrice: 1 } }]) {
      const error = errorOf(budgets.ask(dollars(100), request));
      assert.equal(error.status, 402);
      assert.match(error.message, /^The price of the model "m" is not known/);
      assert.ok(budgets.ask(tokens(10_000), request).ok);
    }
  });

  it('charges the cost of the model that answered, or else the planned prices', () => {
    const key = dollars(1);
    const usage = { inputTokens: 1000, outputTokens: 1000 };
    reservationOf(budgets.ask(key, planned)).settle([{ usage, cost: 30_000_000 }]);
    assert.equal(readBalance(budgets.balance(key)).used, 0.03);
    reservationOf(budgets.ask(key, planned)).settle([{ usage }]);
    assert.equal(readBalance(budgets.balance(key)).used, 0.032);
  });

  it('applies a change of its amount immediately', () => {
    reservationOf(budgets.ask(dollars(1), planned));
    assert.ok(!budgets.ask(dollars(0.0039), planned).ok);
    assert.ok(budgets.ask(dollars(0.004), planned).ok);
  });

  it('is separate for each key', () => {
    assert.ok(budgets.ask(dollars(0.002), planned).ok);
    assert.ok(budgets.ask({ ...dollars(0.002), id: 'two' }, planned).ok);
  });

  it('resets at midnight or at the start of the month', () => {
    for (const [period, before, next] of [
      ['daily', MIDNIGHT - 1, MIDNIGHT],
      ['monthly', new Date(2026, 11, 1).getTime() - 1, new Date(2026, 11, 1).getTime()],
    ] as const) {
      const key = tokens(MAX_OF_PLANNED, period);
      clock.now = before;
      const old = reservationOf(budgets.ask(key, planned));
      assert.ok(!budgets.ask(key, planned).ok);
      clock.now = next;
      const first = reservationOf(budgets.ask(key, planned));
      old.settle([{ usage: { inputTokens: 1000, outputTokens: 1000 } }]);
      first.settle([{ usage: { inputTokens: 0, outputTokens: 0 } }]);
      assert.ok(budgets.ask(key, planned).ok, 'what began before counts before');
    }
  });

  it('applies together with the others, and the refusal names the one that is too small', () => {
    const key = keyWith(
      { amount: MAX_OF_PLANNED, unit: 'tokens', period: 'daily' },
      { amount: 2 * MAX_OF_PLANNED, unit: 'tokens', period: 'monthly' },
      { amount: 1, unit: 'usd', period: 'total' },
    );
    const most = { inputTokens: 1000, outputTokens: 1000 };
    reservationOf(budgets.ask(key, planned)).settle([{ usage: most }]);
    assert.match(errorOf(budgets.ask(key, planned)).message, /0 tokens left of its daily budget of 2,000 tokens/);
    clock.now = MIDNIGHT;
    reservationOf(budgets.ask(key, planned)).settle([{ usage: most }]);
    const { message } = errorOf(budgets.ask(key, planned));
    assert.match(message, /0 tokens left of its monthly budget of 4,000 tokens/);
    assert.ok(message.includes(new Date(2026, 11, 1).toISOString()), 'it says until when to wait');
    clock.now = new Date(2026, 11, 1).getTime();
    assert.ok(budgets.ask(key, planned).ok);
    assert.equal(readBalance(budgets.balance(key)).used, 0.004);
  });

  it('reserves nothing from the others if one of several refuses', () => {
    const [day, all] = [
      { amount: 1, unit: 'tokens', period: 'daily' },
      { amount: MAX_OF_PLANNED, unit: 'tokens', period: 'total' },
    ] as const;
    assert.ok(!budgets.ask(keyWith(all, day), planned).ok);
    assert.ok(budgets.ask(keyWith(all), planned).ok);
  });

  it('never resets if its period is total', () => {
    const key = tokens(MAX_OF_PLANNED);
    assert.ok(budgets.ask(key, planned).ok);
    clock.now += 400 * 24 * 60 * 60 * 1000;
    assert.ok(!budgets.ask(key, planned).ok);
  });

  it('counts requests that were in progress when it was set, and spending while it was removed', () => {
    const usedOf = (key: KeyDetails) => {
      const balance = budgets.balance(key);
      assert.ok(balance !== undefined && 'tokens' in balance);
      return balance.tokens.used;
    };
    const used = [{ usage: { inputTokens: 300, outputTokens: 0 }, cost: 0 }];
    const running = reservationOf(budgets.ask(tokens(10_000), planned));
    const daily = tokens(10_000, 'daily');
    assert.equal(usedOf(daily), 0);
    running.settle(used);
    assert.equal(usedOf(daily), 300);
    budgets.settle('without', 'one', NOON, used);
    assert.equal(usedOf(daily), 600);
    assert.equal(usedOf(tokens(10_000)), 600);
    budgets.settle('without', 'one', MIDNIGHT - 86_400_000 - 1, used);
    assert.equal(usedOf(daily), 600, 'of the day before');
    budgets.settle('without', 'other', NOON, used);
    assert.equal(usedOf(tokens(10_000)), 900);
  });

  it('is restored from the ledger after a restart', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    ledger.append(entry({ localKeyId: 'one', at: NOON - 24 * 60 * 60 * 1000 }));
    ledger.append(entry({ localKeyId: 'one', at: NOON }));
    const restarted = new AskedBudgets(
      (id, since) => ledger.spentBy(id, since),
      () => NOON,
    );
    assert.equal(readBalance(restarted.balance(dollars(1))).used, 0.009);
    assert.equal(readBalance(restarted.balance({ ...dollars(1, 'daily'), id: 'one' })).used, 0.0045);
    ledger.close();
  });

  describe('refuses with a message that', () => {
    it('states what is left, what is needed, and when it resets', () => {
      const { message, kind, status } = errorOf(budgets.ask(dollars(0.0015, 'daily'), planned));
      assert.deepEqual([kind, status], ['credit', 402]);
      assert.equal(
        message,
        'The local key "aider" has $0.0015 left of its daily budget of $0.0015. This request may use up to $0.002: ' +
          `request fewer output tokens. It resets at ${new Date(MIDNIGHT).toISOString()}.`,
      );
    });

    it('never rounds the needed amount down to what is left', () => {
      for (const [left, needed, shown] of [
        [5, 5.001_5, '$5.01'],
        [0.5, 0.500_01, '$0.51'],
        [0.009, 0.009_000_1, '$0.0091'],
      ] as const) {
        const request = { ...planned, inputTokens: 1_000_000, maxOutputTokens: 0, prices: { inputPrice: needed } };
        const { message } = errorOf(budgets.ask(dollars(left), request));
        assert.ok(message.includes(`may use up to ${shown}: `), message);
      }
    });

    it('states what requests in progress may use', () => {
      const key = tokens(3000);
      assert.ok(budgets.ask(key, planned).ok);
      assert.equal(
        errorOf(budgets.ask(key, planned)).message,
        'The local key "aider" has 3,000 tokens left of its budget of 3,000 tokens. Requests in progress may use 2,000 ' +
          'tokens of it. This request may use up to 2,000 tokens: request fewer output tokens. Its owner can raise the budget.',
      );
    });

    it('does not suggest fewer tokens if nothing is left', () => {
      const key = tokens(MAX_OF_PLANNED);
      reservationOf(budgets.ask(key, planned)).settle([{ usage: { inputTokens: 5000, outputTokens: 0 } }]);
      assert.equal(
        errorOf(budgets.ask(key, planned)).message,
        'The local key "aider" has 0 tokens left of its budget of 2,000 tokens. Its owner can raise the budget.',
      );
    });

    it('every format encodes as a credit error', () => {
      const error = errorOf(budgets.ask(dollars(0.0015), planned));
      for (const format of Object.values(wireFormats)) {
        const { status, body } = format.encodeError(error);
        assert.equal(status, 402);
        assert.equal(format.decodeError(body)?.kind, 'credit');
      }
    });
  });
});
