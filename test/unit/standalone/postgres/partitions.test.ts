/** The ledger's partitions, the upgrade to them, and leases after a gap. */

import assert from 'node:assert/strict';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { Housekeeping } from '../../../../packages/gateway/src/postgres/housekeeping.ts';
import { RowWriter } from '../../../../packages/gateway/src/postgres/rowWriter.ts';
import { MIGRATIONS, migrate } from '../../../../packages/gateway/src/postgres/schema.ts';
import { readSessionSpend } from '../../../../packages/gateway/src/postgres/sessionSpend.ts';
import { eventually } from '../../../support/eventually.ts';
import { query } from '../../../support/postgres/postgresServer.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { emptyDatabase } from './databases.ts';
import { createLease, createTeam, serverIsOldEnough } from './replicas.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The version before the partitions. */
const EARLIER = MIGRATIONS.slice(0, 5);

const row = (id: string, at: number, more: object = {}) => ({
  ...{ id, at, key: 'k', team: null, client: 'c', model: 'm', upstream: 'u', status: 200, ended: 'completed' },
  ...{ input_tokens: 50, output_tokens: 5, cost: 70, is_estimated: false, details: {} },
  ...more,
});

function connect(address: string): DatabaseConnection {
  const connection = new DatabaseConnection({ address, name: 'tests' });
  closeLater(() => connection.close());
  return connection;
}

/** Enters rows as all releases do. */
const enter = (connection: DatabaseConnection, ...rows: readonly object[]) =>
  connection.query('SELECT enter_1($1, $2) AS id', ['a', JSON.stringify(rows)]);

const partitionsOf = async (connection: DatabaseConnection) => {
  const rows = await connection.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'exchange'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => String(name));
};

const keep = async (connection: DatabaseConnection) =>
  (await connection.query('SELECT keep_partitions_6() AS name')).map(({ name }) => String(name));

/** `2026_11` */
const month = (at: number) => new Date(at).toISOString().slice(0, 7).replace('-', '_');

describe('the partitions of the ledger', () => {
  afterEach(closeAll);

  const ready = async () => {
    const connection = connect(await emptyDatabase());
    await migrate(connection);
    return connection;
  };

  it('exist for this month and the next two, and are created once', async () => {
    const connection = await ready();
    const [until, , other] = [/^exchange_until_/, /^exchange_\d/, /^exchange_other$/];
    const names = await partitionsOf(connection);
    assert.equal(names.filter((name) => until.test(name)).length, 1);
    assert.equal(names.filter((name) => other.test(name)).length, 1);
    // That of this month is the one with all rows from before.
    assert.equal(names.length, 4);
    assert.deepEqual(await keep(connection), []);
  });

  it('have each row once, even if it is repeated or was first recorded as lost in another month', async () => {
    const connection = await ready();
    const [{ at: bound } = {}] = await connection.query('SELECT extract(epoch FROM month_6(now(), 1)) * 1000 AS at');
    const first = Number(bound);
    await enter(connection, row('r', first - 1000, { ended: 'lost', cost: 100 }), row('s', first + 5));
    await enter(connection, row('r', first + 1000), row('s', first + 5));
    await enter(connection, row('r', first + 1000), row('s', first + 7));
    assert.deepEqual(
      await connection.query('SELECT id, ended, cost, tableoid::regclass::text AS part FROM exchange ORDER BY id'),
      [
        { id: 'r', ended: 'completed', cost: 70, part: `exchange_${month(first)}` },
        { id: 's', ended: 'completed', cost: 70, part: `exchange_${month(first)}` },
      ],
    );
    const [sums] = await connection.query(
      'SELECT sum(exchanges)::bigint AS count, sum(cost)::bigint AS cost FROM usage_day',
    );
    assert.deepEqual(sums, { count: 2, cost: 140 });
  });

  it('accept rows of any time, and get those of a month when its partition is created', async () => {
    const connection = await ready();
    const far = Date.now() + 400 * DAY_MS;
    await enter(connection, row('old', 0), row('far', far));
    const [{ part } = {}] = await connection.query(
      "SELECT tableoid::regclass::text AS part FROM exchange WHERE id = 'far'",
    );
    assert.equal(part, 'exchange_other');
    // A month later for the function, without waiting for it.
    await connection.query(
      `DROP TABLE ${(await partitionsOf(connection)).filter((name) => /_\d{4}_\d{2}$/.test(name) && !name.includes('until')).join(', ')}`,
    );
    const next = Number((await connection.query('SELECT extract(epoch FROM month_6(now(), 1)) * 1000 AS at'))[0]?.at);
    await enter(connection, row('next', next + 1));
    assert.equal((await keep(connection)).length, 2);
    const [moved] = await connection.query("SELECT tableoid::regclass::text AS part FROM exchange WHERE id = 'next'");
    assert.equal(moved?.part, `exchange_${month(next)}`);
  });

  it('are removed if the setting requires it, and never without it', async () => {
    const connection = await ready();
    const old = Date.now() - 100 * DAY_MS;
    const name = `exchange_${month(old)}`;
    const [bounds] = await connection.query(
      'SELECT month_6(to_timestamp($1), 0)::text AS first, month_6(to_timestamp($1), 1)::text AS last',
      [old / 1000],
    );
    const until = (await partitionsOf(connection)).find((each) => each.includes('until'));
    await connection.query(`ALTER TABLE exchange DETACH PARTITION ${until}`);
    await connection.query(
      `CREATE TABLE ${name} PARTITION OF exchange FOR VALUES FROM ('${bounds?.first}') TO ('${bounds?.last}')`,
    );
    await enter(connection, row('old', old), row('new', Date.now()));
    assert.equal((await keep(connection)).includes(name), false);
    await connection.query("INSERT INTO setting VALUES ('exchange_days', '60')");
    assert.deepEqual(
      (await keep(connection)).filter((each) => each === name),
      [name],
    );
    assert.deepEqual(await connection.query('SELECT id FROM exchange'), [{ id: 'new' }]);
    const [sums] = await connection.query('SELECT sum(exchanges)::bigint AS count FROM usage_day');
    assert.equal(sums?.count, 2, 'the daily sums stay');
  });

  it('are maintained by a gateway, which also removes old answers', async () => {
    const connection = await ready();
    await connection.query(
      `INSERT INTO response (key, id, context, messages, at)
       SELECT 'k', n::text, '{}', '[]', now() - n * interval '1 day' FROM generate_series(1, 40) n`,
    );
    await connection.query(
      `DROP TABLE exchange_${month(Number((await connection.query('SELECT extract(epoch FROM month_6(now(), 2)) * 1000 AS at'))[0]?.at))}`,
    );
    const keeping = new Housekeeping({ connection, onProblem: (message) => assert.fail(message) });
    await keeping.close();
    assert.equal((await partitionsOf(connection)).length, 4);
    const [left] = await connection.query('SELECT count(*)::int AS count FROM response');
    assert.ok(Number(left?.count) < 40);
  });
});

describe('the upgrade to partitions', () => {
  afterEach(closeAll);

  it('keeps all rows and sums, while a gateway of the previous release continues', async () => {
    const address = await emptyDatabase();
    const before = connect(address);
    await migrate(before, EARLIER);
    const now = Date.now();
    const old = Array.from({ length: 300 }, (_, nth) =>
      row(`old${nth}`, now - nth * DAY_MS, { details: { session_id: 's' } }),
    );
    await enter(before, ...old);
    await before.query(
      "INSERT INTO reservation (id, replica, key, at, day, input_tokens, output_tokens, cost, shares) VALUES ('held', 'dead', 'k', now() - interval '1 hour', current_date, 1, 1, 9, '[]')",
    );
    const settled: string[] = [];
    const writer = new RowWriter({
      connection: before,
      replica: 'a',
      onSettled: (ids) => settled.push(...ids),
      // A statement that waits for the upgrade fails after it, and is sent again.
      onProblem: () => undefined,
    });
    let given = 0;
    const give = setInterval(() => {
      writer.add(row(`during${given}`, now + given));
      given += 1;
    }, 5);
    await migrate(connect(address));
    clearInterval(give);
    await eventually('all are written', async () => {
      await writer.flush();
      return settled.length === given;
    });
    writer.close();
    await enter(before, row('old0', now), row('after', now));
    assert.equal(await readSessionSpend(before, 's'), 300 * 70);
    assert.deepEqual(await before.query("SELECT settle_lost_1('0') AS count"), [{ count: 1 }]);
    const [sums] = await query(
      address,
      `SELECT (SELECT count(*) FROM model_access.exchange)::int AS rows, (SELECT count(DISTINCT id) FROM model_access.exchange)::int AS ids,
        (SELECT sum(exchanges) FROM model_access.usage_day)::int AS counted`,
    );
    const all = 300 + given + 2;
    assert.deepEqual(sums, { rows: all, ids: all, counted: all });
    assert.ok(given > 0);
  });

  it('may take longer than any other statement', async () => {
    const address = await emptyDatabase();
    const connection = connect(address);
    await connection.query("SET statement_timeout = '200ms'");
    await migrate(connection, [...MIGRATIONS, 'SELECT pg_sleep(0.5)']);
    await assert.rejects(connection.query('SELECT pg_sleep(0.5)'), /statement timeout/);
  });
});

describe('the leases of replicas', () => {
  afterEach(closeAll);

  it('do not expire each other after the database was unavailable', async () => {
    const team = await createTeam();
    const held = async () => Number((await team.rows('SELECT count(*) AS count FROM reservation'))[0]?.count);
    await serverIsOldEnough(team);
    const [one, two] = [createLease(team, 'one'), createLease(team, 'two')];
    await one.lease.begin();
    await two.lease.begin();
    for (const seconds of [3, 7]) await one.renewAfter(seconds);
    await team.rows(
      `INSERT INTO reservation (id, replica, key, at, day, input_tokens, output_tokens, cost, shares)
       VALUES ('r', 'two', 'k', now() - interval '2 minutes', current_date, 1, 1, 9, '[]')`,
    );
    await team.rows("UPDATE replica SET seen_at = seen_at - interval '1 minute'");
    // The database, or the standby that has replaced it, answers again, and the other replica has not renewed yet.
    for (const seconds of [27, 30]) await one.renewAfter(seconds);
    assert.equal(await held(), 1);
    await two.renewAfter(30);
    for (const seconds of [31, 33]) await one.renewAfter(seconds);
    assert.equal(await held(), 1, 'it runs');
    await team.rows("UPDATE replica SET seen_at = seen_at - interval '1 minute' WHERE id = 'two'");
    await one.renewAfter(34);
    assert.equal(await held(), 0, 'it is dead');
  });
});
