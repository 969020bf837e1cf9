import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { clientName, type ExchangeRecord, ledgerEntry } from '../../../../src/gateway/core/exchangeRecord.ts';
import { costInBillionths } from '../../../../src/ledger/cost.ts';

describe('the name of a client', () => {
  const NAMES: Readonly<Record<string, string>> = {
    'curl/8.5.0': 'curl',
    'claude-cli/2.1.197 (external, sdk-cli)': 'claude-cli',
    'codex_exec/0.169.0 (Linux; x86_64)': 'codex_exec',
    'OpenAI/JS 7.55.0': 'OpenAI/JS',
    'ai-sdk-openai/4.0.118 runtime/node.js/24': 'ai-sdk-openai',
    'tool/v1.2': 'tool',
    bun: 'bun',
  };

  for (const [header, name] of Object.entries(NAMES)) {
    it(`is ${name} for ${header}`, () => assert.equal(clientName(header), name));
  }

  it('is unknown if the header is empty', () => {
    for (const header of [undefined, '', '  ', '/1.0']) assert.equal(clientName(header), undefined);
  });

  it('has a limited length, whatever the header', () => {
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (header) => (clientName(header)?.length ?? 0) <= 80));
  });
});

describe('the cost of an exchange', () => {
  const tokens = fc.nat({ max: 2_000_000 });
  const thousandths = fc.nat({ max: 200_000 });

  it('is exact for prices with up to three decimal places', () => {
    fc.assert(
      fc.property(tokens, tokens, thousandths, thousandths, (inputTokens, outputTokens, input, output) => {
        const prices = { inputPrice: input / 1000, outputPrice: output / 1000 };
        const wanted = inputTokens * input + outputTokens * output;
        assert.equal(costInBillionths({ inputTokens, outputTokens }, prices), wanted);
      }),
    );
  });

  it('is unknown without a price, or if it is too large', () => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    assert.equal(costInBillionths(usage, {}), undefined);
    assert.equal(costInBillionths(usage, { inputPrice: 1e12, outputPrice: 1e12 }), 2e15);
    assert.equal(costInBillionths(usage, { inputPrice: 1e14, outputPrice: 1 }), undefined);
  });
});

describe('the ledger entry of an exchange', () => {
  it('has the data of its record, the client’s name, and no estimate in another unit', () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    const record: ExchangeRecord = {
      id: 'req_1',
      at: 1,
      localKeyId: 'terminal',
      userAgent: 'curl/8.5.0',
      endpoint: '/messages',
      callerFormat: 'messages',
      model: 'familya-sonnet-4.6',
      upstream: 'hosted',
      status: 200,
      firstByteMs: 2,
      durationMs: 3,
      bytesIn: 4,
      bytesOut: 5,
      upstreamFormat: 'responses',
      upstreamModel: 'sonnet',
      dropped: ['web_search'],
      usage,
      usageIsEstimated: true,
      cost: 0.1,
      end: 'completed',
    };
    const prices = { inputPrice: 3 };
    const entry = ledgerEntry(record, { source: 'gateway', prices, cost: undefined, answeredModel: undefined });
    const expected = {
      id: 'req_1',
      at: 1,
      source: 'gateway',
      localKeyId: 'terminal',
      client: 'curl',
      endpoint: '/messages',
      callerFormat: 'messages',
      upstreamFormat: 'responses',
      model: 'familya-sonnet-4.6',
      upstream: 'hosted',
      status: 200,
      firstByteMs: 2,
      durationMs: 3,
      usage,
      usageIsEstimated: true,
      prices,
      cost: undefined,
      end: 'completed',
    };
    assert.deepEqual({ ...entry, ...expected }, entry);
  });
});
