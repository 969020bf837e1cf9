import assert from 'node:assert/strict';
import { freshDatabase, query } from '../../../support/postgres/postgresServer.ts';
import { killServed, LAUNCHER, runServed, type Served, startServed } from '../support/served.ts';
import { removeSpools, spoolFolder } from './spools.ts';

/** A model of the sandbox with a price. */
const MODEL = 'familya-opus-4.6';
const ASKED = JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] });

describe('the command line with a database', function () {
  this.timeout(60_000);
  let database: string;

  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(async () => {
    await killServed();
    await removeSpools();
  });

  const administer = async (...args: readonly string[]) => {
    const { code, output, errors } = await runServed([...args, '--database', database, '--json'], {}, LAUNCHER);
    assert.equal(code, 0, errors);
    return JSON.parse(output);
  };
  const start = async () => startServed(['--database', database, '--spool', await spoolFolder()], {}, LAUNCHER);
  const ask = ({ address }: Served, key: string) =>
    fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: ASKED,
    });

  it('makes a key that opens every gateway of the database, and one budget for all of them', async () => {
    const { id, key } = await administer('keys', 'create', '--name', 'ci', '--budget', '1');
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

  it('shows no secret but the new one', async () => {
    const { key } = await administer('keys', 'create', '--name', 'ci');
    const rotated = await administer('keys', 'rotate', 'ci');
    assert.notEqual(rotated.key, key);
    assert.equal((await administer('keys', 'show', 'ci')).key, undefined);
    const stored = JSON.stringify(await query(database, 'SELECT * FROM model_access.api_key'));
    for (const secret of [key, rotated.key]) assert.ok(!stored.includes(secret));
  });

  it('counts what keys of a team spend against the budget of the team', async () => {
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

  it('says in one sentence what is wrong, and fails', async () => {
    const sentences: [args: readonly string[], code: number, sentence: RegExp][] = [
      [['keys', 'create', '--database', database], 2, /^keys create needs --name\.$/m],
      [['keys', 'create', '--name', 'x', '--budget', 'much', '--database', database], 2, /^--budget takes/m],
      [['keys', 'show', 'nobody', '--database', database], 2, /^There is no key "nobody"\.$/m],
      [['keys', 'list'], 2, /^Name the database with --database or DATABASE_URL\.$/m],
      [['keys', 'list', '--database', 'mysql://x'], 2, /^The database is an address such as postgres:/m],
      [['keys', 'list', '--database', `${database}_none`], 1, /^The database of the address does not exist\.$/m],
      [['--database', 'postgres://127.0.0.1:9/x', '--port', '0'], 1, /^The database cannot be (?:reached|used)/m],
    ];
    for (const [args, code, sentence] of sentences) {
      const ended = await runServed(args, {}, LAUNCHER);
      assert.match(ended.errors, sentence);
      assert.equal(ended.code, code, args.join(' '));
      assert.equal(ended.output, '');
    }
  });
});
