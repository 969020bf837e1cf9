import assert from 'node:assert/strict';
import { ERROR_ANSWER } from '../../../../packages/gateway/src/admin/adminAnswers.ts';
import { ADMIN_ROUTES, MODELS_OF_KEY, USAGE_OF_KEY } from '../../../../packages/gateway/src/admin/adminRoutes.ts';
import { openTeam } from '../../../../packages/gateway/src/cli/team.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { eventually } from '../../../support/eventually.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { get } from '../../gateway/support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../../gateway/support/gateway.ts';
import { ask, createTeam, startService, type Team } from './replicas.ts';
import { removeSpools, spoolFolder } from './spools.ts';

const ADMIN_KEY = 'key_of-the-administrator-of-the-tests';
const COST = (USAGE.prompt - USAGE.cached) * 1000 + USAGE.cached * 100 + USAGE.completion * 10_000;

/** Checks an answer with the schema from which its description in OpenAPI is made. */
function checkDescribed(method: string, path: string, { status, body }: { status: number; body: unknown }): void {
  const ownPaths = [USAGE_OF_KEY, MODELS_OF_KEY].map((of) => ({ ...of, method: 'GET', path: `/api/v1${of.path}` }));
  const route = [...ADMIN_ROUTES, ...ownPaths].find(
    (each) => each.method === method && new RegExp(`^${each.path.replace('{name}', '[^/]+')}$`).test(path),
  );
  if (route === undefined) return;
  const { error } = (status < 400 ? route.result : ERROR_ANSWER)?.safeParse(body) ?? {};
  assert.equal(error, undefined, `${method} ${path}: ${error?.message}`);
}

describe('administration over HTTP', () => {
  let team: Team;
  let opened: Awaited<ReturnType<typeof openTeam>>;
  let port: number;
  let refused: string[];

  beforeEach(async () => {
    refused = [];
    team = await createTeam();
    const service = await startService();
    const place = { address: team.address, spool: await spoolFolder() };
    const settings = { ...place, allowsWhenAway: false, adminKey: ADMIN_KEY, warnings: [] };
    opened = await openTeam(settings, (message) => assert.fail(message));
    closeLater(() => opened.database.close());
    const upstream = createHosted({ baseAddress: service.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const { books, keys, admin } = opened;
    const onRefusedCallers = (message: string) => refused.push(message);
    const paths = { furtherPaths: admin, localKeys: [], onRefusedCallers };
    ({ port } = await startGateway({ upstream, books, keySource: keys, measuresContext: true, ...paths }));
  });
  afterEach(async () => {
    await closeAll();
    await removeSpools();
  });

  const call = async (method: string, path: string, body?: unknown, key: string | null = ADMIN_KEY) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(key !== null && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const answer = { status: response.status, body: isJson ? JSON.parse(text) : text };
    if (isJson) checkDescribed(method, new URL(path, 'http://gateway').pathname, answer);
    return answer;
  };

  it('creates, changes, and revokes keys and teams', async () => {
    const budgets = [{ amount: 2, unit: 'usd', period: 'daily' }];
    assert.equal((await call('POST', '/admin/teams', { name: 'docs', budgets })).status, 201);
    const created = await call('POST', '/admin/keys', { name: 'ci bot', team: 'docs', models: ['model-*'] });
    assert.equal(created.status, 201);
    assert.equal((await ask({ port }, created.body.key)).status, 200);
    assert.equal(created.body.lowers_limits, true);
    const kept = await call('PATCH', '/admin/keys/ci%20bot', { lowers_limits: false });
    assert.equal(kept.body.lowers_limits, false);
    const told = await call('PATCH', '/admin/keys/ci%20bot', { measures_context: false, secrets: 'seal' });
    assert.deepEqual([told.body.measures_context, told.body.secrets], [false, 'seal']);
    const again = await call('PATCH', '/admin/keys/ci%20bot', { measures_context: true, secrets: null });
    assert.deepEqual([again.body.measures_context, again.body.secrets], [true, undefined]);
    const changed = await call('PATCH', '/admin/keys/ci%20bot', { models: null, expires_at: '2999-01-01' });
    assert.equal(changed.body.lowers_limits, false);
    assert.deepEqual([changed.body.models, changed.body.expires_at], [undefined, '2999-01-01T00:00:00.000Z']);
    const rotated = await call('POST', `/admin/keys/${created.body.id}/rotate`);
    assert.equal((await ask({ port }, rotated.body.key)).status, 200);
    assert.equal((await ask({ port }, created.body.key)).status, 401);
    assert.equal((await call('DELETE', '/admin/keys/ci%20bot')).status, 204);
    assert.deepEqual((await call('GET', '/admin/keys')).body, { data: [] });
    assert.equal((await call('GET', '/admin/teams/docs')).body.keys, 0);
    assert.equal((await call('DELETE', '/admin/teams/docs')).status, 204);
  });

  it('reports what fills the contexts of a key and of a session', async () => {
    const { key } = await team.keys.create('ci', {});
    const request = (session: string, question: string) =>
      fetch(`http://127.0.0.1:${port}/api/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'x-model-access-session': session,
        },
        body: JSON.stringify({
          model: 'model-a',
          tools: [{ type: 'function', function: { name: 'mcp__docs__search', description: 'Searches.' } }],
          messages: [{ role: 'user', content: question }],
        }),
      }).then((response) => response.text());
    for (const session of ['one', 'one', 'two']) await request(session, 'What is new?');
    await eventually('three measured requests', async () => {
      await opened.books.flush();
      return (await call('GET', '/admin/context?key=ci')).body.requests === 3;
    });
    const { body } = await call('GET', '/admin/context?key=ci');
    assert.deepEqual([body.session, body.input_tokens], [null, 3 * USAGE.prompt]);
    assert.deepEqual(body.parts.map(({ kind, name, server }: Record<string, unknown>) => [kind, name, server]).sort(), [
      ['messages', null, null],
      ['tools', 'mcp__docs__search', 'docs'],
    ]);
    const [row] = await team.rows(
      "SELECT details ->> 'session_id' AS id FROM model_access.exchange ORDER BY at LIMIT 1",
    );
    assert.equal((await call('GET', `/admin/context?session=${row?.id}`)).body.requests, 2);
    assert.equal((await call('GET', '/admin/context?key=none')).status, 404);
    assert.equal((await call('GET', '/admin/context?by=day')).status, 400);
  });

  it('counts the callers that try keys', async () => {
    for (let time = 0; time < 5; time += 1) await call('GET', '/admin/keys', undefined, 'key_guess');
    await call('GET', '/usage', undefined, 'key_guess');
    await call('GET', '/usage/models', undefined, null);
    await closeAll();
    assert.equal(
      refused.join(' '),
      'Refused before authentication: 1 × an unknown admin key. ' +
        'Refused before authentication: 4 × an unknown admin key, 1 × an unknown local key, 1 × no local key.',
    );
  });

  it('is refused without the admin key', async () => {
    const { key } = await team.keys.create('ci', {});
    for (const other of [null, key, 'key_guess']) {
      assert.equal((await call('GET', '/admin/keys', undefined, other)).status, 401);
      assert.equal((await call('POST', '/admin/keys', { name: 'x' }, other)).status, 401);
    }
  });

  it('is reached only by a path that begins with /admin, because proxies deny it by its beginning', async () => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const statusOf = async (path: string) => (await get({ port, path, headers })).status;
    assert.equal(await statusOf('/admin/keys'), 200);
    for (const path of ['//x/admin/keys', '/x/../admin/keys', '/./admin/keys', 'http://gateway/admin/keys']) {
      assert.equal(await statusOf(path), 401, path);
    }
  });

  it('reports what is wrong with a request', async () => {
    await team.keys.create('ci', {});
    const cases: [method: string, path: string, body: unknown, status: number][] = [
      ['GET', '/admin/keys/nobody', undefined, 404],
      ['GET', '/admin/nowhere', undefined, 404],
      ['PUT', '/admin/keys', undefined, 405],
      ['POST', '/admin/keys', { name: 'CI' }, 409],
      ['POST', '/admin/keys', { name: '' }, 400],
      ['POST', '/admin/keys', { name: 'x', budget: 5 }, 400],
      ['POST', '/admin/keys', { name: 'x', team: 'nobody' }, 404],
      ['GET', '/admin/usage?by=color', undefined, 400],
      ['GET', '/admin/usage?from=yesterday', undefined, 400],
      ['GET', '/admin/usage?from=2026-02-31', undefined, 400],
      ['GET', '/admin/keys/%00', undefined, 400],
      ['POST', '/admin/keys', { name: 'x', team: 'a\0' }, 400],
      ['POST', '/admin/keys', { name: 'x', models: ['a\0'] }, 400],
      ['POST', '/admin/keys', { name: 'x', budgets: [{ amount: 1e-12, unit: 'usd', period: 'total' }] }, 400],
    ];
    for (const [method, path, body, status] of cases) {
      const answer = await call(method, path, body);
      assert.equal(answer.status, status, `${method} ${path}`);
      assert.equal(typeof answer.body.error.message, 'string');
    }
  });

  it('names the wrong value of a request and what is allowed', async () => {
    const budgets = [{ amount: 5, unit: 'usd', period: 'weekly' }];
    for (const [method, path, body, message] of [
      ['POST', '/admin/keys', { name: 'x', budget: 5 }, /^There is no member budget here\.$/],
      ['POST', '/admin/keys', { name: 'x', budgets }, /^budgets\.0\.period: .*"total" or "daily" or "monthly"\.$/],
      ['PATCH', '/admin/teams/docs', { name: 5 }, /^name: This must be a string\.$/],
      [
        'POST',
        '/admin/keys',
        { name: 'x', expires_at: '+010000-01-01' },
        /^expires_at: This must be a date before the year 10000\.$/,
      ],
      ['GET', '/admin/usage?by=color', undefined, /^by\.0: This must be "day" or "key" or "team".*\.$/],
      [
        'GET',
        '/admin/usage?key=ci',
        undefined,
        /^"key" is not a parameter of this path. It has: from, to, by, format\.$/,
      ],
      ['GET', '/admin/usage?by=day&by=key', undefined, /^Send "by" only once\.$/],
      ['GET', '/admin/usage?from=yesterday', undefined, /^from: This must be a day such as 2026-11-22\.$/],
    ] as const) {
      const answer = await call(method, path, body);
      assert.equal(answer.status, 400);
      assert.match(answer.body.error.message, message);
    }
  });

  it('reports the usage of all keys to administrators, and to a key only its own', async () => {
    await team.teams.create('docs');
    const one = await team.keys.create('one', { team: 'docs' });
    const two = await team.keys.create('two', {});
    for (const { key } of [one, one, two]) await ask({ port }, key, '=cmd()/1');
    await opened.books.flush();
    const all = await call('GET', '/admin/usage?by=key,team');
    const shown = all.body.data.map(({ key, team: of, exchanges, cost }: Record<string, unknown>) => [
      key,
      of,
      exchanges,
      cost,
    ]);
    assert.deepEqual(shown, [
      ['one', 'docs', 2, (2 * COST) / 1e9],
      ['two', null, 1, COST / 1e9],
    ]);
    const csv = await call('GET', '/admin/usage?by=client&format=csv');
    assert.equal(
      csv.body,
      `client,exchanges,failed,estimated,unpriced,input_tokens,output_tokens,cost,unconfirmed_cost\r\n'=cmd(),3,0,0,0,360,51,${(3 * COST) / 1e9},0\r\n`,
    );
    const own = await call('GET', '/api/v1/usage?by=key', undefined, two.key);
    assert.deepEqual(
      own.body.data.map(({ key }: { key: string }) => key),
      ['two'],
    );
    assert.equal((await call('GET', '/api/v1/usage', undefined, 'key_guess')).status, 401);
    assert.deepEqual((await call('GET', '/admin/usage?by=day&to=2000-01-01')).body, { data: [] });
    assert.equal((await call('GET', '/admin/usage?by=key,key')).body.data.length, 2);
  });

  it('reports usage from the daily sums, without reading the exchanges', async () => {
    const { key } = await team.keys.create('one', {});
    for (let nth = 0; nth < 3; nth += 1) await ask({ port }, key);
    await opened.books.flush();
    const before = (await call('GET', '/admin/usage?by=key,model')).body;
    assert.equal(before.data[0].exchanges, 3);
    await team.rows('DELETE FROM exchange');
    assert.deepEqual((await call('GET', '/admin/usage?by=key,model')).body, before);
  });

  it('reports the usage of a key by model, with cached tokens and times', async () => {
    const { key } = await team.keys.create('one', {});
    const other = await team.keys.create('two', {});
    for (const secret of [key, key, other.key]) await ask({ port }, secret);
    await opened.books.flush();
    const { status, body } = await call('GET', '/api/v1/usage/models', undefined, key);
    assert.equal(status, 200);
    const { first_byte_ms: times, ...total } = body.total;
    assert.deepEqual(total, {
      exchanges: 2,
      failed: 0,
      estimated: 0,
      unpriced: 0,
      input_tokens: 2 * USAGE.prompt,
      cached_input_tokens: 2 * USAGE.cached,
      cache_write_tokens: 0,
      output_tokens: 2 * USAGE.completion,
      reasoning_tokens: 0,
      cost: (2 * COST) / 1e9,
      cache_saving: (2 * USAGE.cached * 900) / 1e9,
    });
    assert.ok(times.median > 0 && times.p95 >= times.median);
    assert.deepEqual(
      body.data.map(({ model, exchanges }: Record<string, unknown>) => [model, exchanges]),
      [['model-a', 2]],
    );
    const before = await call('GET', '/api/v1/usage/models?to=2000-01-01', undefined, key);
    assert.deepEqual([before.body.data, before.body.total.exchanges], [[], 0]);
    assert.equal((await call('GET', '/api/v1/usage/models?from=today', undefined, key)).status, 400);
    assert.equal((await call('GET', '/api/v1/usage/models', undefined, ADMIN_KEY)).status, 401);
    assert.equal((await call('POST', '/api/v1/usage/models', {}, key)).status, 405);
  });

  it('shows a key its budgets and those of its team, and its share of them', async () => {
    const monthly = (amount: number) => [{ amount, unit: 'usd' as const, period: 'monthly' as const }];
    await team.teams.create('docs', monthly(10));
    const one = await team.keys.create('one', { budgets: monthly(4), team: 'docs' });
    const two = await team.keys.create('two', { team: 'docs' });
    const alone = await team.keys.create('alone', {});
    for (const { key } of [one, two, two]) await ask({ port }, key);
    await opened.books.flush();
    const balanceOf = async ({ key }: { key: string }) => (await call('GET', '/api/v1/balance', undefined, key)).body;
    const { budgets, team: ofTeam, key, used_today: usedToday, remaining } = await balanceOf(one);
    assert.deepEqual(key, { id: one.id, name: 'one' });
    assert.deepEqual([ofTeam.name, ofTeam.keys, usedToday], ['docs', 2, COST / 1e9]);
    assert.equal(remaining, 4 - COST / 1e9);
    assert.deepEqual(
      budgets.map((budget: Record<string, unknown>) => [budget.of, budget.granted, budget.used, budget.used_by_key]),
      [
        ['key', 4, COST / 1e9, undefined],
        ['team', 10, (3 * COST) / 1e9, COST / 1e9],
      ],
    );
    assert.deepEqual((await balanceOf(two)).budgets.length, 1);
    const { budgets: none, object, team: noTeam, balance } = await balanceOf(alone);
    assert.deepEqual([none, object, noTeam, balance], [[], 'balance', undefined, undefined]);
  });

  it('refuses a report that it cannot give', async () => {
    for (const query of ['from=2026-13-01', 'to=yesterday', 'by=nothing', 'format=xml']) {
      const { status, body } = await call('GET', `/admin/usage?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.error.message, new RegExp(`^${query.split('=', 1)[0]}(\\.0)?: This must be `));
    }
  });

  it('describes each of its paths in OpenAPI', async () => {
    const { body } = await call('GET', '/admin/openapi.json');
    assert.equal(body.openapi, '3.1.0');
    for (const { method, path, status = 200 } of ADMIN_ROUTES) {
      const { summary, responses } = body.paths[path][method.toLowerCase()];
      assert.ok(summary, path);
      const described = responses[status].content?.['application/json'].schema;
      assert.equal(described?.type, status === 204 ? undefined : 'object', path);
      assert.deepEqual(responses.default.content['application/json'].schema.required, ['error']);
    }
    assert.ok(body.paths['/admin/usage'].get.responses[200].content['text/csv']);
    assert.equal(body.paths['/api/v1/usage/models'].get.responses[200].content['text/csv'], undefined);
    const { schema } = body.paths['/admin/keys'].post.requestBody.content['application/json'];
    assert.deepEqual(schema.required, ['name']);
    const terms = ['budgets', 'limits', 'models', 'expires_at', 'lowers_limits', 'measures_context', 'secrets'];
    assert.deepEqual(Object.keys(schema.properties), ['name', 'team', ...terms]);
  });
});
