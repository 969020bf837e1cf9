import assert from 'node:assert/strict';
import type { ApiError } from '../../../../../src/formats/apiError.ts';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import type { ExchangeRecord } from '../../../../../src/gateway/core/exchangeRecord.ts';
import { Bookkeeper } from '../../../../../src/gateway/exchanges/bookkeeper.ts';
import type { Answer as Said, Script } from '../../../../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../../support/client.ts';
import { closeAll, closeLater } from '../../support/gateway.ts';
import { titleOf } from './cases.ts';
import { ALL_PAIRS, EVENTS, errorEvent, HELLO, refusal, startRoute } from './faultyUpstreams.ts';

const BROKEN: ApiError = { kind: 'server', status: 500, message: 'Words of the first.' };
const LIMITED: ApiError = { kind: 'rateLimit', status: 429, message: 'Words of the first.' };
const MAX_OUTPUT = 300;
/**
 * A request reserves one token for each byte of its body, which has at most this number of bytes, and {@link
 * MAX_OUTPUT}.
 */
const MAX_RESERVED = 500;

const LIMIT: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'max_completion_tokens',
  messages: 'max_tokens',
  responses: 'max_output_tokens',
};

for (const pair of ALL_PAIRS) {
  const { caller, upstream } = pair;
  const isMessages = upstream === 'messages';
  const preamble = EVENTS[upstream](HELLO, 'm')
    .slice(0, isMessages ? 3 : 1)
    .join('');
  const members = { [LIMIT[caller]]: MAX_OUTPUT };

  /** @param tokens the key's budget. */
  const start = async (scripts: readonly Script[], tokens: number) => {
    const records: ExchangeRecord[] = [];
    const books = new Bookkeeper({ onRecord: (record) => records.push(record) });
    closeLater(() => books.close());
    const budgets = [{ amount: tokens, unit: 'tokens', period: 'total' } as const];
    const localKeys = [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0, budgets }];
    const route = await startRoute(pair, scripts, {
      upstreams: { maxTokensPerSecond: 1e9 },
      gateway: { books, localKeys },
    });
    const ask = async () => {
      const ended = route.nextRecord();
      const answer = await route.ask({ members });
      await ended;
      return answer;
    };
    const balance = () => {
      const account = books.balance(localKeys[0] ?? assert.fail()).body;
      return account !== undefined && 'tokens' in account ? account.tokens : assert.fail('a budget in tokens');
    };
    return { ...route, ask, records, balance };
  };
  const usedOf = (records: readonly ExchangeRecord[]) =>
    records.flatMap(({ usage, attempts = [] }) => [usage, ...attempts.map((attempt) => attempt.usage)]).filter(Boolean);

  describe(`the budget of a client of ${caller} on upstreams of ${upstream}`, () => {
    afterEach(closeAll);

    const begunAndFailed = (): Said => ({ stream: preamble + errorEvent(upstream, BROKEN) });

    it(titleOf('fails and may be billed, and the budget does not cover another attempt'), async () => {
      const route = await start([begunAndFailed, () => HELLO], MAX_RESERVED);
      const { status, error } = await route.ask();
      assert.deepEqual([status, error?.kind], [402, 'credit']);
      assert.deepEqual([route.asked(0).length, route.asked(1).length], [1, 0]);
      const [record] = route.records;
      assert.deepEqual([record?.end, record?.usageIsEstimated], ['budget', true]);
      assert.equal(record?.usage?.outputTokens, MAX_OUTPUT);
      assert.equal(usedOf(route.records).length, 1, 'it is counted once');
    });

    it('is charged for both attempts if it covers them', async () => {
      const route = await start([begunAndFailed, () => HELLO], 2 * MAX_RESERVED);
      assert.equal((await route.ask()).status, 200);
      const [record] = route.records;
      const [failed, answered] = record?.attempts ?? [];
      assert.deepEqual([failed?.usage?.outputTokens, failed?.usageIsEstimated], [MAX_OUTPUT, true]);
      assert.deepEqual([answered?.usage, answered?.failure], [undefined, undefined]);
      const used = usedOf(route.records).reduce(
        (sum, usage) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
        0,
      );
      assert.deepEqual([route.balance().used, route.balance().reserved], [used, 0]);
    });

    it('is not charged for what an upstream refuses, in whichever form', async () => {
      const refused = [refusal(upstream, LIMITED), { stream: errorEvent(upstream, LIMITED) }];
      for (const answer of refused) {
        const route = await start([() => answer, () => HELLO], MAX_RESERVED);
        assert.equal((await route.ask()).status, 200);
        assert.equal(usedOf(route.records).length, 1, 'only the answer is paid');
        await closeAll();
      }
    });
  });
}
