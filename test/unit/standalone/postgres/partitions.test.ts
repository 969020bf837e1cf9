/** The ledger's partitions, databases of earlier versions, and leases after a gap. */

import assert from 'node:assert/strict';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { Housekeeping } from '../../../../packages/gateway/src/postgres/housekeeping.ts';
import { migrate } from '../../../../packages/gateway/src/postgres/schema.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { emptyDatabase } from './databases.ts';
import { createLease, createTeam, serverIsOldEnough } from './replicas.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

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

const enter = (connection: DatabaseConnection, ...rows: readonly object[]) =>
  connection.query('SELECT enter($1, $2) AS id', ['a', JSON.stringify(rows)]);

const partitionsOf = async (connection: DatabaseConnection) => {
  const rows = await connection.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'exchange'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => String(name));
};

const keep = async (connection: DatabaseConnection) =>
  (await connection.query('SELECT keep_partitions() AS name')).map(({ name }) => String(name));

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
    const names = await partitionsOf(connection);
    const months = [0, 1, 2].map(async (nth) => {
      const [{ at } = {}] = await connection.query('SELECT extract(epoch FROM month_start(now(), $1)) * 1000 AS at', [
        nth,
      ]);
      return `exchange_${month(Number(at))}`;
    });
    assert.deepEqual(names, [...(await Promise.all(months)), 'exchange_other']);
    assert.deepEqual(await keep(connection), []);
  });

  it('have each row once, even if it is repeated or was first recorded as lost in another month', async () => {
    const connection = await ready();
    const [{ at: bound } = {}] = await connection.query(
      'SELECT extract(epoch FROM month_start(now(), 1)) * 1000 AS at',
    );
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
      `DROP TABLE ${(await partitionsOf(connection)).filter((name) => /_\d{4}_\d{2}$/.test(name)).join(', ')}`,
    );
    const next = Number(
      (await connection.query('SELECT extract(epoch FROM month_start(now(), 1)) * 1000 AS at'))[0]?.at,
    );
    await enter(connection, row('next', next + 1));
    assert.equal((await keep(connection)).length, 3);
    const [moved] = await connection.query("SELECT tableoid::regclass::text AS part FROM exchange WHERE id = 'next'");
    assert.equal(moved?.part, `exchange_${month(next)}`);
  });

  it('are removed if the setting requires it, and never without it', async () => {
    const connection = await ready();
    const old = Date.now() - 100 * DAY_MS;
    const name = `exchange_${month(old)}`;
    const [bounds] = await connection.query(
      'SELECT month_start(to_timestamp($1), 0)::text AS first, month_start(to_timestamp($1), 1)::text AS last',
      [old / 1000],
    );
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
      `DROP TABLE exchange_${month(Number((await connection.query('SELECT extract(epoch FROM month_start(now(), 2)) * 1000 AS at'))[0]?.at))}`,
    );
    const keeping = new Housekeeping({ connection, onProblem: (message) => assert.fail(message) });
    await keeping.close();
    assert.equal((await partitionsOf(connection)).length, 4);
    const [left] = await connection.query('SELECT count(*)::int AS count FROM response');
    assert.ok(Number(left?.count) < 40);
  });
});

describe('a database from before the first release', () => {
  afterEach(closeAll);

  const ofVersion = async (version: number) => {
    const connection = connect(await emptyDatabase());
    await migrate(connection);
    await enter(connection, row('old', Date.now()));
    await connection.query("UPDATE setting SET value = $1 WHERE name = 'schema_version'", [String(version)]);
    return connection;
  };

  it('keeps its rows and gets the functions of this release, if its tables are the same', async () => {
    const connection = await ofVersion(11);
    await connection.query('ALTER FUNCTION enter RENAME TO enter_1');
    await connection.query('DROP INDEX exchange_by_context');
    await migrate(connection);
    assert.equal((await connection.query("SELECT FROM pg_indexes WHERE indexname = 'exchange_by_context'")).length, 1);
    await enter(connection, row('new', Date.now()));
    const [sums] = await connection.query('SELECT sum(exchanges)::int AS count FROM usage_day');
    assert.deepEqual(sums, { count: 2 });
    const [{ count } = {}] = await connection.query("SELECT count(*)::int FROM pg_proc WHERE proname = 'enter_1'");
    assert.equal(count, 0);
  });

  it('is left as it is otherwise, with a message that says how to keep it', async () => {
    const connection = await ofVersion(10);
    await assert.rejects(migrate(connection), /ALTER SCHEMA model_access RENAME TO model_access_early/);
    const [{ value } = {}] = await connection.query("SELECT value FROM setting WHERE name = 'schema_version'");
    assert.equal(value, '10');
    await connection.query('ALTER SCHEMA model_access RENAME TO model_access_early');
    await migrate(connection);
    const [kept] = await connection.query('SELECT id FROM model_access_early.exchange');
    assert.deepEqual(kept, { id: 'old' });
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
