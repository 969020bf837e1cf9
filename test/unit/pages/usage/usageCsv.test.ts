import assert from 'node:assert/strict';
import type { UsageLine } from '../../../../src/ledger/usage.ts';
import { contextCsv, usageCsv } from '../../../../src/pages/usage/usageCsv.ts';

const LINE: UsageLine = {
  day: '2026-11-20',
  source: 'gateway',
  localKeyId: 'k1',
  client: 'claude-cli',
  model: 'familya-sonnet-4.6',
  upstream: 'hosted',
  conversationId: '',
  exchanges: 3,
  failed: 0,
  unpriced: 0,
  estimated: 1,
  inputTokens: 3000,
  outputTokens: 300,
  cacheWriteTokens: 0,
  cacheSaving: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  cost: 0.0000135,
};
const NAMES = { keyNames: { k1: 'a "key", of mine' }, conversationTitles: {} };
const lines = (line: Partial<UsageLine>) => usageCsv([{ ...LINE, ...line }], NAMES).split('\r\n');

describe('the CSV export', () => {
  it('names its columns and quotes values where needed', () => {
    assert.deepEqual(lines({}), [
      'day,source,local_key,client,model,upstream,conversation,exchanges,failed,input_tokens,cached_input_tokens,' +
        'output_tokens,reasoning_tokens,estimated_exchanges,cost_usd,unpriced_exchanges',
      '2026-11-20,gateway,"a ""key"", of mine",claude-cli,familya-sonnet-4.6,hosted,,3,0,3000,0,300,0,1,0.0000135,0',
      '',
    ]);
  });

  it('has what filled contexts by client, kind, server, and tool', () => {
    const line = { client: 'claude-cli', kind: 'tools' as const, server: 'github', name: 'get, all' };
    const sums = { tokens: 120_000, requests: 40, cost: 0.0361, calls: 2 };
    assert.deepEqual(contextCsv([{ ...line, ...sums }]).split('\r\n'), [
      'client,kind,server,name,input_tokens,exchanges,calls,cost_usd',
      'claude-cli,tools,github,"get, all",120000,40,2,0.0361',
      '',
    ]);
  });

  it('has no cost without a known price', () => {
    assert.match(lines({ cost: 0, unpriced: 3 })[1] ?? '', /,,3$/);
  });

  it('contains no formulas, whatever the model name of a caller', () => {
    assert.match(lines({ model: '=HYPERLINK("http://x")' })[1] ?? '', /"'=HYPERLINK\(""http:\/\/x""\)"/);
  });
});
