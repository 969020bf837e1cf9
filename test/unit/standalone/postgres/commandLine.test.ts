import assert from 'node:assert/strict';
import { runAdminCommand } from '../../../../packages/gateway/src/cli/admin/adminCommand.ts';
import { UsageError } from '../../../../packages/gateway/src/cli/arguments.ts';
import { readServeOptions } from '../../../../packages/gateway/src/cli/options.ts';
import { openTeam } from '../../../../packages/gateway/src/cli/team.ts';
import { DatabaseError } from '../../../../packages/gateway/src/postgres/databaseError.ts';
import { query } from '../../../support/postgres/postgresServer.ts';
import { closeAll } from '../../gateway/support/gateway.ts';
import { killServed, runServed, type Served, startServed } from '../../gateway/support/served.ts';
import { emptyDatabase } from './databases.ts';
import { createTeam } from './replicas.ts';
import { removeSpools, spoolFolder } from './spools.ts';

/** A model of the sandbox with a price. */
const MODEL = 'familya-opus-4.6';
const ASKED = JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] });

describe('the command line with a database', function () {
  this.timeout(60_000);
  let database: string;

  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(async () => {
    await killServed();
    await closeAll();
    await removeSpools();
  });

  /** Runs a command in this process, as the process of a command line does. */
  const administer = async (...args: readonly string[]) =>
    JSON.parse(await runAdminCommand([...args, '--database', database, '--json'], {}));
  const start = async () => startServed(['--database', database, '--spool', await spoolFolder()]);
  const ask = ({ address }: Served, key: string) =>
    fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: ASKED,
    });

  it('creates a key for every gateway of the database, with one shared budget', async () => {
    const create = ['keys', 'create', '--name', 'ci', '--budget', '1', '--database', database, '--json'];
    const { code, output, errors } = await runServed(create);
    assert.equal(code, 0, errors);
    const { id, key } = JSON.parse(output);
    assert.match(key, /^key_/);
    const gateways = [await start(), await start()];
    for (const gateway of gateways) assert.equal((await ask(gateway, key)).status, 200);
    for (const gateway of gateways) await gateway.stop();
    const shown = await administer('keys', 'show', 'ci');
    assert.equal(shown.id, id);
    const [budget] = shown.budgets;
    const [row] = await query(database, 'SELECT sum(cost) AS cost, count(*) AS count FROM model_access.exchange');
    assert.equal(Number(row?.count), 2);
    assert.ok(Number(row?.cost) > 0);
    assert.deepEqual([Math.round(budget.spent * 1e9), budget.reserved], [Number(row?.cost), 0]);
  });

  it('sets the limits of a key', async () => {
    const limits = ['--parallel', '2', '--requests-per-minute', '60', '--tokens-per-minute', '1000'];
    await administer('keys', 'create', '--name', 'ci', ...limits, '--session-dollars', '2.5');
    const given = { parallel: 2, requestsPerMinute: 60, tokensPerMinute: 1000, sessionDollars: 2.5 };
    assert.deepEqual((await administer('keys', 'show', 'ci')).limits, given);
  });

  it('lowers output limits for a new key, unless it is told otherwise', async () => {
    assert.equal((await administer('keys', 'create', '--name', 'ci')).lowers_limits, true);
    assert.equal((await administer('keys', 'change', 'ci', '--lower-limits', 'no')).lowers_limits, false);
    assert.equal((await administer('keys', 'change', 'ci', '--name', 'cd')).lowers_limits, false);
  });

  it('shows only the new secret', async () => {
    const { key } = await administer('keys', 'create', '--name', 'ci');
    const rotated = await administer('keys', 'rotate', 'ci');
    assert.notEqual(rotated.key, key);
    assert.equal((await administer('keys', 'show', 'ci')).key, undefined);
    const stored = JSON.stringify(await query(database, 'SELECT * FROM model_access.api_key'));
    for (const secret of [key, rotated.key]) assert.ok(!stored.includes(secret));
  });

  it('counts the spending of a team’s keys toward the budget of the team', async () => {
    await administer('teams', 'create', '--name', 'docs', '--budget', '100tokens');
    const { key } = await administer('keys', 'create', '--name', 'ci', '--team', 'docs', '--budget', '1');
    const gateway = await start();
    const first = await ask(gateway, key);
    const body = (await first.json()) as { error?: { message: string } };
    if (first.status === 402) assert.match(body.error?.message ?? '', /team "docs"/);
    else {
      const second = await ask(gateway, key);
      assert.equal(second.status, 402);
      assert.match(JSON.stringify(await second.json()), /team \\"docs\\"/);
    }
  });

  it('reports an error in one sentence, and fails', async () => {
    const sentences: [args: readonly string[], code: number, sentence: RegExp][] = [
      [['keys', 'list'], 2, /^Name the database with --database or DATABASE_URL\.$/m],
      [['--database', 'postgres://127.0.0.1:9/x', '--port', '0'], 1, /^The database cannot be (?:reached|used)/m],
    ];
    for (const [args, code, sentence] of sentences) {
      const ended = await runServed(args);
      assert.match(ended.errors, sentence);
      assert.equal(ended.code, code, args.join(' '));
      assert.equal(ended.output, '');
    }
  });

  it('sets what is done with secrets of a key, and whether its contexts are measured', async () => {
    await administer('keys', 'create', '--name', 'ci', '--secrets', 'refuse', '--measure-context', 'no');
    const { secrets, measures_context } = await administer('keys', 'show', 'ci');
    assert.deepEqual([secrets, measures_context], ['refuse', false]);
    const changed = await administer('keys', 'change', 'ci', '--secrets', 'none', '--measure-context', 'yes');
    assert.deepEqual([changed.secrets, changed.measures_context], [undefined, true]);
  });

  it('names what is wrong with a command', async () => {
    const sentences: [args: readonly string[], error: new (...given: never[]) => Error, sentence: RegExp][] = [
      [['create', '--database', database], UsageError, /^keys create requires --name\.$/],
      [['create', '--name', 'x', '--budget', 'much', '--database', database], UsageError, /^--budget must be.*\.$/],
      [
        ['create', '--name', 'x', '--lower-limits', '1', '--database', database],
        UsageError,
        /must be yes or no, not 1\.$/,
      ],
      [
        ['change', 'x', '--secrets', 'hide', '--database', database],
        UsageError,
        /^--secrets must be off, .* not hide\.$/,
      ],
      [['show', 'nobody', '--database', database], UsageError, /^There is no key "nobody"\.$/],
      [['list', '--database', 'mysql://x'], UsageError, /^The database address must have the form postgres:.*\.$/],
      [
        ['list', '--database', `${database}_none`],
        DatabaseError,
        /^The database in the database address does not exist\.$/,
      ],
    ];
    for (const [args, type, sentence] of sentences) {
      await assert.rejects(runAdminCommand(['keys', ...args], {}), (error) => {
        assert.ok(error instanceof type);
        assert.match(error.message, sentence);
        return true;
      });
    }
  });

  /** Opens a database as a gateway does when it starts, and returns why it cannot. */
  const refused = async (address: string) => {
    const { database: settings } = readServeOptions([], { DATABASE_URL: address });
    assert.ok(settings);
    const error = await openTeam(settings, (message) => assert.fail(message)).catch((reason: unknown) => reason);
    assert.ok(error instanceof DatabaseError);
    assert.match(error.message, /^[^\n]+$/, 'one sentence');
    return error.message;
  };
  const isUntouched = async (address: string) =>
    assert.deepEqual(await query(address, "SELECT 1 FROM pg_namespace WHERE nspname = 'model_access'"), []);

  it('does not start with an unusable database, and leaves no changes in it', async () => {
    const [foreign, later, readOnly, guarded] = await Promise.all([1, 2, 3, 4].map(() => emptyDatabase()));
    assert.ok(foreign && later && readOnly && guarded);
    await query(foreign, 'CREATE SCHEMA model_access; CREATE TABLE model_access.theirs (x int)');
    const ended = await runServed(['--port', '0'], { DATABASE_URL: foreign });
    assert.deepEqual([ended.code, ended.output], [1, '']);
    assert.equal(
      ended.errors,
      'The database has a schema "model_access" that the gateway did not create. Use another database.\n',
    );
    const tables = await query(foreign, "SELECT tablename FROM pg_tables WHERE schemaname = 'model_access'");
    assert.deepEqual(tables, [{ tablename: 'theirs' }]);

    await createTeam(later);
    await query(later, "UPDATE model_access.setting SET value = '99' WHERE name IN ('schema_version', 'serves_from')");
    assert.match(await refused(later), /^The database was upgraded by a later release: .* Update the gateway\.$/);

    const name = new URL(readOnly).pathname.slice(1);
    await query(readOnly, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    assert.equal(await refused(readOnly), 'The database is read-only, like a standby.');
    await isUntouched(readOnly);

    const role = `stranger_${new URL(guarded).pathname.slice(1)}`;
    await query(guarded, `CREATE ROLE ${role} LOGIN PASSWORD 'stranger'`);
    const asStranger = new URL(guarded);
    asStranger.username = role;
    asStranger.password = 'stranger';
    assert.match(await refused(asStranger.href), /^The user of the database address lacks privileges\./);
    asStranger.password = 'wrong';
    assert.equal(await refused(asStranger.href), 'PostgreSQL rejects the password of the database address.');
    await isUntouched(guarded);
  });
});
