import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { SandboxAccount } from '../../../../../src/gateway/upstreams/sandbox/account.ts';
import { SpentFile } from '../../../../../src/gateway/upstreams/sandbox/spentFile.ts';
import { catalog, findModel } from '../../../../../src/sandbox/catalog.ts';
import { readBalance } from '../../../../../src/service/balance.ts';
import { answerOf, ask, askQuestion, balanceOf, formatNames, quickSandbox } from './ask.ts';

describe("The sandbox's credit", () => {
  it('starts with 25 dollars in an active package, as the balance reports', async () => {
    const { text } = await ask(quickSandbox(), { endpoint: '/balance' });
    assert.deepEqual(JSON.parse(text), {
      object: 'balance',
      balance: 25,
      currency: 'USD',
      granted: 25,
      used: 0,
      package: { name: 'Sandbox', state: 'active' },
      sandbox: true,
    });
  });

  it("can be parsed by the extension's own reader", async () => {
    const { text } = await ask(quickSandbox({ credit: 7.5 }), { endpoint: '/balance' });
    const balance = readBalance(JSON.parse(text));
    assert.equal(balance.remaining, 7.5);
    assert.equal(balance.granted, 7.5);
    assert.equal(balance.currency, 'USD');
    assert.equal(balance.packageName, 'Sandbox');
    assert.equal(balance.packageState, 'active');
  });

  for (const format of formatNames) {
    for (const stream of [false, true]) {
      it(`decreases by the usage at catalog prices: ${format}, ${stream ? 'streamed' : 'whole'}`, async () => {
        const sandbox = quickSandbox();
        const request = { stream, includeUsage: true };
        const { usage, model } = await answerOf(sandbox, { format, request, model: 'familyc-5.3-codex' });
        const price = findModel(model)?.price;
        assert.ok(usage !== undefined && price !== undefined);
        const cost = (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
        const { used, balance } = await balanceOf(sandbox);
        assert.ok(used > 0);
        assert.ok(Math.abs(used - cost) < 1e-12);
        assert.ok(Math.abs(25 - used - balance) < 1e-9);
      });
    }
  }

  it('is separate for each local key', async () => {
    const sandbox = quickSandbox();
    await askQuestion(sandbox, { localKeyId: 'a' });
    assert.ok((await balanceOf(sandbox, 'a')).used > 0);
    assert.equal((await balanceOf(sandbox, 'b')).used, 0);
  });

  it('is common to all local keys if it is shared', async () => {
    const sandbox = quickSandbox({ sharedCredit: true });
    await askQuestion(sandbox, { localKeyId: 'a' });
    assert.ok((await balanceOf(sandbox, 'b')).used > 0);
  });

  for (const format of formatNames) {
    it(`results in 402 in the format of the caller once it is used up: ${format}`, async () => {
      const sandbox = quickSandbox({ credit: 0.000001 });
      assert.equal((await askQuestion(sandbox, { format })).status, 200);
      const { package: left, balance } = await balanceOf(sandbox);
      assert.equal(left.state, 'exhausted');
      assert.equal(balance, 0);
      const { status, text } = await askQuestion(sandbox, { format });
      assert.equal(status, 402);
      const { error } = JSON.parse(text);
      assert.equal(error.type, format === 'messages' ? 'billing_error' : 'insufficient_quota');
    });
  }

  it('is not required to count tokens, list models, or read the balance', async () => {
    const sandbox = quickSandbox({ credit: 0 });
    const body = { model: 'familya-haiku-4.5', messages: [{ role: 'user', content: 'Hello' }] };
    const answers = [
      await ask(sandbox, { endpoint: '/messages/count_tokens', body }),
      await ask(sandbox, { endpoint: '/models' }),
      await ask(sandbox, { endpoint: '/balance' }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('is low below a tenth of the granted amount', () => {
    const account = new SandboxAccount(1);
    const price = { input: 1, output: 1 };
    account.charge({ inputTokens: 900_000, outputTokens: 0 }, price);
    assert.equal(account.state, 'active');
    account.charge({ inputTokens: 1, outputTokens: 0 }, price);
    assert.equal(account.state, 'low');
    account.charge({ inputTokens: 0, outputTokens: 200_000 }, price);
    assert.equal(account.state, 'exhausted');
  });

  it('can still be used if its file cannot be written', () => {
    const problems: string[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'account-'));
    try {
      // A folder stands where the file would be.
      const spent = new SpentFile(folder, (problem) => problems.push(problem));
      const account = new SandboxAccount(1, spent);
      account.charge({ inputTokens: 500_000, outputTokens: 0 }, { input: 1, output: 1 });
      assert.equal(account.balance().balance, 0.5);
      assert.match(problems.join('\n'), /could not be written: EISDIR/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is exact over any number of answers, and never negative', () => {
    const answers = fc.array(fc.tuple(fc.nat(300_000), fc.nat(50_000), fc.constantFrom(...catalog)), { maxLength: 60 });
    fc.assert(
      fc.property(answers, (list) => {
        const account = new SandboxAccount(25);
        let billionths = 0n;
        for (const [inputTokens, outputTokens, { price }] of list) {
          account.charge({ inputTokens, outputTokens }, price);
          billionths += BigInt(inputTokens) * BigInt(price.input * 1000);
          billionths += BigInt(outputTokens) * BigInt(price.output * 1000);
        }
        const used = billionths > 25_000_000_000n ? 25_000_000_000n : billionths;
        assert.equal(account.balance().used, Number(used) / 1e9);
        assert.equal(account.balance().balance, Number(25_000_000_000n - used) / 1e9);
      }),
    );
  });
});
