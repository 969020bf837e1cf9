/** What contexts consist of, in the database of several gateways as in the ledger of one. */
import assert from 'node:assert/strict';
import { runContextCommand } from '../../../../packages/gateway/src/cli/context/contextCommand.ts';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { exchangeRow } from '../../../../packages/gateway/src/postgres/exchangeRow.ts';
import { Housekeeping } from '../../../../packages/gateway/src/postgres/housekeeping.ts';
import { ContextMeter } from '../../../../src/gateway/context/contextMeter.ts';
import { Tokenizer } from '../../../../src/gateway/counting/tokenizer.ts';
import { contextValue } from '../../../../src/ledger/contextCost.ts';
import { Ledger } from '../../../../src/ledger/ledger.ts';
import { ContextScript, SHAPES } from '../../../support/contextScripts.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { entry } from '../../ledger/entries.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { createTeam, type Team } from './replicas.ts';

const PRICES = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3, cacheWritePrice: 3.75 };
const STEPS = 14;
const START = Date.now() - 60_000;
const tokenizer = new Tokenizer();

describe('what sessions of five clients consisted of', () => {
  let team: Team;
  let file: string;

  beforeEach(async () => {
    team = await createTeam();
    file = emptyLedger();
    await write();
  });
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  /** Writes the same requests to both. */
  async function write(): Promise<void> {
    const ledger = new Ledger({ path: file, onProblem: ({ message }) => assert.fail(message) });
    const rows = SHAPES.flatMap((shape, session) => {
      const script = new ContextScript(shape, session);
      const meter = new ContextMeter((text) => tokenizer.count(text));
      script.session.ask('Fix the failing tests.');
      return Array.from({ length: STEPS }, (_, step) => {
        const measured = meter.measure({ model: shape.model, lane: 'a', body: script.session.request() });
        assert.ok(measured);
        // The first one is carried unused, and read twice.
        script.session.step([step < 2 ? { ...script.read(9_000), args: { file_path: 'same.ts' } } : script.read()]);
        const isMiss = step === 7;
        const input = 5_003 + 401 * step;
        const cached = isMiss || step === 0 ? 0 : input - 405;
        const usage = {
          inputTokens: input,
          outputTokens: 90,
          cachedInputTokens: cached,
          cacheWriteTokens: input - cached,
        };
        const exchange = entry({
          ...{ at: START + step * 100 + session, model: shape.model, client: shape.client, usage },
          sessionId: `session ${session}`,
          // One session has no known prices, and one a helper.
          prices: session === 1 ? {} : PRICES,
          ...(session === 2 && step % 3 === 0 && { agentId: 'helper' }),
          ...(isMiss && { cacheMiss: { reason: 'tools_changed' as const, changed: 'Read', missedTokens: cached } }),
        });
        ledger.append(exchange);
        ledger.addContext(exchange, measured);
        const row = exchangeRow(exchange, undefined, undefined);
        return { ...row, details: { ...row.details, context: contextValue(measured, exchange) } };
      });
    });
    ledger.close();
    await team.rows('SELECT enter($1, $2)', ['replica', JSON.stringify(rows)]);
  }

  const print = (...args: string[]) => runContextCommand(['context', ...args], {});
  const both = async (...args: string[]) => {
    const fromFile = await print('--ledger', file, ...args);
    assert.equal(await print('--database', team.address, ...args), fromFile);
    return fromFile;
  };

  it('is the same for all of them, in parts, findings, and what is printed', async () => {
    const report = JSON.parse(await both('--json'));
    assert.equal(report.requests, SHAPES.length * STEPS);
    assert.ok(report.parts.length > 20 && report.findings.length > 5);
    assert.match(await both(), /github/);
  });

  for (const session of SHAPES.keys()) {
    it(`is the same for each: ${SHAPES[session]?.client}`, async () => {
      const report = JSON.parse(await both('--json', `session ${session}`));
      assert.equal(report.requests, STEPS);
      const sum = (member: string) => report.parts.reduce((total: number, part: never) => total + part[member], 0);
      assert.equal(sum('cost') > 0, session !== 1);
      await both(`session ${session}`);
    });
  }

  it('no longer counts requests that are removed, in either', async () => {
    await team.rows("DELETE FROM exchange WHERE details ->> 'session_id' <> 'session 3'");
    assert.equal(JSON.parse(await print('--database', team.address, '--json')).requests, STEPS);
    const kept = await print('--database', team.address, '--json', 'session 3');
    assert.equal(kept, await print('--ledger', file, '--json', 'session 3'));
  });

  it('is removed from the oldest requests if it takes too much room, as in the file', async () => {
    const counts = () =>
      team.rows(
        `SELECT count(*)::int AS rows, count(*) FILTER (WHERE details ? 'context')::int AS measured,
           min(at) FILTER (WHERE details ? 'context') > max(at) FILTER (WHERE NOT details ? 'context') AS is_latest
         FROM exchange`,
      );
    const all = SHAPES.length * STEPS;
    const connection = new DatabaseConnection({ address: team.address, name: 'keeping' });
    closeLater(() => connection.close());
    const keeping = () => new Housekeeping({ connection, onProblem: (message) => assert.fail(message) });
    await keeping().close();
    assert.deepEqual(await counts(), [{ rows: all, measured: all, is_latest: null }]);
    const [size] = await team.rows('SELECT sum(pg_column_size(details)) / 1048576.0 / 2 AS half FROM exchange');
    await team.rows("INSERT INTO setting VALUES ('context_megabytes', $1)", [String(size?.half)]);
    await keeping().close();
    const [left] = await counts();
    assert.deepEqual([left?.rows, left?.is_latest], [all, true]);
    assert.ok(Number(left?.measured) > all / 4 && Number(left?.measured) < (3 * all) / 4, `${left?.measured} are left`);
    await keeping().close();
    assert.deepEqual(await counts(), [left]);
    const { requests } = JSON.parse(await print('--database', team.address, '--json'));
    assert.equal(requests, left?.measured);
  });

  it('is removed by one replica at a time', async () => {
    await team.rows("INSERT INTO setting VALUES ('context_megabytes', '0')");
    const half = (SHAPES.length * STEPS) / 2;
    const remove = () => team.rows('SELECT remove_contexts($1) AS removed', [half]);
    assert.deepEqual(await remove(), [{ removed: half }]);
    const other = new DatabaseConnection({ address: team.address, name: 'other' });
    closeLater(() => other.close());
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(7264005)');
    assert.deepEqual(await remove(), [{ removed: 0 }]);
    await other.query('COMMIT');
    assert.deepEqual(await remove(), [{ removed: half }]);
    assert.deepEqual(await remove(), [{ removed: 0 }]);
  });
});
