/** How the functions that reserve and enter batches read the tables, and that they plan their statements once. */
import assert from 'node:assert/strict';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { migrate } from '../../../../packages/gateway/src/postgres/schema.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { emptyDatabase } from './databases.ts';

const KEY = 'k';
/** PostgreSQL decides after the fifth call whether it keeps a plan. */
const WARM_UPS = 12;
const MANY = 20_000;

const requestOf = (id: string) => ({
  ...{ id, key: KEY, team: null, model: 'm', cost: 10 },
  ...{ input_tokens: 100, output_tokens: 10 },
});

const rowOf = (id: string) => ({
  ...{ id, key: KEY, cost: 7, at: Date.now(), team: null, client: 'c', model: 'm', upstream: 'u', status: 200 },
  ...{ ended: 'completed', input_tokens: 50, output_tokens: 5, is_estimated: false, details: {} },
});

describe('the functions for batches', () => {
  let connection: DatabaseConnection;

  beforeEach(async () => {
    connection = new DatabaseConnection({ address: await emptyDatabase(), name: 'tests' });
    closeLater(() => connection.close());
    await migrate(connection);
    await connection.query('CREATE EXTENSION pg_stat_statements');
    await connection.query("INSERT INTO budget VALUES ('k', 'usd', 'total', 1000000000)");
  });
  afterEach(closeAll);

  let batches = 0;
  /** Sends batches of different sizes, as replicas do. */
  const run = async (times: number) => {
    for (let nth = 0; nth < times; nth++) {
      const ids = Array.from({ length: 1 + (nth % 3) }, (_, place) => `r${batches}-${place}`);
      batches += 1;
      await connection.query('SELECT id FROM reserve($1, $2)', ['a', JSON.stringify(ids.map(requestOf))]);
      await connection.query('SELECT enter($1, $2)', ['a', JSON.stringify(ids.map(rowOf))]);
    }
  };

  it('plan their statements once for a connection', async () => {
    await run(WARM_UPS);
    await connection.query('SELECT pg_stat_statements_reset()');
    await run(WARM_UPS);
    const planned = await connection.query(
      "SELECT query, plans FROM pg_stat_statements WHERE NOT toplevel AND plans > 0 AND query NOT LIKE '%pg_stat%'",
    );
    assert.deepEqual(planned, []);
  });

  it('read only the rows of the batch, also with plans that were made while the ledger was empty', async () => {
    await run(WARM_UPS);
    await connection.query(
      `INSERT INTO exchange (id, at, day, replica, key, ended, is_estimated, details)
       SELECT 'many' || n, now(), current_date, 'a', 'k', 'completed', false, '{}' FROM generate_series(1, $1::int) n`,
      [MANY],
    );
    const read = async () => {
      await connection.query('SELECT pg_stat_force_next_flush()');
      const [sum] = await connection.query(
        `SELECT sum(idx_tup_read)::bigint AS read FROM pg_stat_user_indexes WHERE relname LIKE 'exchange%'`,
      );
      return Number(sum?.read);
    };
    const before = await read();
    await run(WARM_UPS);
    const ofBatches = (await read()) - before;
    assert.ok(ofBatches < 100, `${ofBatches} index entries were read.`);
  });
});
