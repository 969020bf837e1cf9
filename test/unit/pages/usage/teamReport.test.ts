import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readTeamReport } from '../../../../src/pages/usage/teamReport.ts';
import { ApiClient } from '../../../../src/service/apiClient.ts';
import { parseKey } from '../../../../src/service/pastedKey.ts';

const SUMS = { exchanges: 3, failed: 1, estimated: 0, unpriced: 0, input_tokens: 300, cached_input_tokens: 90 };
const MODELS = {
  data: [{ model: 'model-a', ...SUMS, output_tokens: 30, cost: 1.5, first_byte_ms: { median: 400, p95: 900 } }],
  total: { ...SUMS, output_tokens: 30, cost: 1.5, first_byte_ms: { median: 400, p95: 900 } },
};
const line = (day: string, cost: number) => ({ day, model: 'model-a', exchanges: 1, estimated: 0, cost });

describe('the usage reported by a team’s gateway', () => {
  const open: (() => void)[] = [];
  const asked: string[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
    asked.length = 0;
  });

  const clientOf = async (listener: RequestListener) => {
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const key = parseKey('key_of-the-tests-0123456789');
    assert.ok(key.ok);
    return new ApiClient({
      baseAddress: `http://127.0.0.1:${port}/api/v1`,
      key: key.key,
      fetch,
      retry: { retries: 0 },
    });
  };
  const answering = (days: readonly object[]) =>
    clientOf((request, response) => {
      const body = request.url?.startsWith('/api/v1/usage/models') === true ? MODELS : { data: days };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });

  it('has models, totals, and a bar for each day and model', async () => {
    const client = await answering([line('2026-11-02', 0.5), line('2026-11-03', 1)]);
    const report = await readTeamReport(client, { first: '2026-11-01', last: '2026-11-30' });
    assert.deepEqual(asked.toSorted(), [
      '/api/v1/usage/models?from=2026-11-01&to=2026-11-30',
      '/api/v1/usage?by=day,model&from=2026-11-01&to=2026-11-30',
    ]);
    assert.equal(report.unit, 'day');
    assert.deepEqual([report.totals.exchanges, report.totals.cachedInputTokens, report.totals.cost], [3, 90, 1.5]);
    assert.deepEqual(
      report.models.map(({ name, cost, firstByte }) => [name, cost, firstByte?.median]),
      [['model-a', 1.5, 400]],
    );
    assert.deepEqual(
      report.spends.map(({ time, cost }) => [time, cost]),
      [
        ['2026-11-02', 0.5],
        ['2026-11-03', 1],
      ],
    );
  });

  it('has a bar for each week of a long period', async () => {
    const client = await answering([line('2026-11-02', 0.5), line('2026-11-05', 1), line('2026-11-09', 2)]);
    const { unit, spends } = await readTeamReport(client, { first: '2026-01-01', last: '2026-11-30' });
    assert.equal(unit, 'week');
    assert.deepEqual(
      spends.map(({ time, cost, exchanges }) => [time, cost, exchanges]),
      [
        ['2026-11-02', 1.5, 2],
        ['2026-11-09', 2, 1],
      ],
    );
  });

  it('fails with a reason if the gateway rejects the request or the response is invalid', async () => {
    const period = { first: '2026-11-01', last: '2026-11-30' };
    const refusing = await clientOf((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"This must be a day."}}');
    });
    await assert.rejects(readTeamReport(refusing, period), /This must be a day/);
    const strange = await clientOf((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"hello":"world"}');
    });
    await assert.rejects(readTeamReport(strange, period), /unknown form/);
  });
});
