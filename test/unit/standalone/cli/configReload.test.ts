import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, ScriptedService } from '../../../support/scriptedService.ts';
import { get, json, send } from '../../gateway/support/client.ts';
import { closeAll } from '../../gateway/support/gateway.ts';
import { killServed, type Served, startServed } from '../../gateway/support/served.ts';
import { type Reloading, startReloading } from './reloadingGateway.ts';

/** Answers with its name in the chat-completions format, and lists no models. */
const says =
  (word: string): Answer =>
  (response, { path }) =>
    void response
      .writeHead(path.endsWith('/models') ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: word }, finish_reason: 'stop' }] }));

describe('the --config file while the gateway runs', () => {
  let folder: string;
  let file: string;
  const services: ScriptedService[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reload-'));
    file = join(folder, 'team.json');
  });
  afterEach(killServed);
  afterEach(closeAll);
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
    rmSync(folder, { recursive: true });
  });

  const startUpstream = async (answer: Answer) => {
    const service = await ScriptedService.start(answer);
    services.push(service);
    return service;
  };
  const upstream = (id: string, { baseAddress }: ScriptedService) => ({
    id,
    baseUrl: baseAddress,
    formats: ['chat-completions'],
  });
  /** Saves the file like editors that never leave an incomplete file. */
  const save = (config: unknown) => {
    writeFileSync(join(folder, 'new'), JSON.stringify(config));
    renameSync(join(folder, 'new'), file);
  };
  const logged = (served: Reloading, text: RegExp) =>
    eventually(`the gateway says ${text}`, async () => text.test(served.errors()));
  const ask = async ({ port, headers }: Reloading, model: string): Promise<string> => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
    const answer = await send({ port, path: '/v1/chat/completions', headers, body });
    return answer.status === 200 ? contentOf(json(answer)) : String(answer.status);
  };
  const contentOf = (answer: unknown) =>
    (answer as { choices: readonly [{ message: { content: string } }] }).choices[0].message.content;

  it('is applied when another file replaces it', async () => {
    const [a, b] = [upstream('a', await startUpstream(says('A'))), upstream('b', await startUpstream(says('B')))];
    save({ upstreams: [a], routes: { coding: { use: ['a/m'] } } });
    const served = await startServed(['--config', file]);
    assert.equal(await ask(served, 'coding'), 'A');
    save({ upstreams: [a, b], routes: { coding: { use: ['b/m'] } } });
    await logged(served, /Reloaded .*team\.json\.\n/);
    assert.equal(await ask(served, 'coding'), 'B');
  });

  it('is applied when it is overwritten in place', async () => {
    const upstreams = [upstream('a', await startUpstream(says('A')))];
    save({ upstreams });
    const served = await startReloading(file);
    assert.equal(await ask(served, 'a/m'), 'A');
    writeFileSync(file, JSON.stringify({ upstreams: [{ ...upstreams[0], id: 'c' }] }));
    await logged(served, /Reloaded/);
    assert.equal(await ask(served, 'c/m'), 'A');
  });

  it('is applied when a symbolic link in its path changes', async function () {
    if (process.platform === 'win32') this.skip();
    const [a, b] = [upstream('a', await startUpstream(says('A'))), upstream('b', await startUpstream(says('B')))];
    for (const [name, use] of [
      ['first', a],
      ['second', b],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'team.json'), JSON.stringify({ upstreams: [use] }));
    }
    symlinkSync('first', join(folder, 'data'));
    symlinkSync(join('data', 'team.json'), file);
    const served = await startReloading(file);
    assert.equal(await ask(served, 'm'), 'A');
    symlinkSync('second', join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'data'));
    await logged(served, /Reloaded/);
    assert.equal(await ask(served, 'm'), 'B');
  });

  it('changes nothing while it contains an error, which is reported once', async () => {
    const upstreams = [upstream('a', await startUpstream(says('A')))];
    save({ upstreams, aliases: { usual: 'a/m' } });
    const served = await startReloading(file);
    for (const [content, complaint] of [
      [
        { upstreams: [{ ...upstreams[0], formats: ['chat'] }] },
        /upstreams\.0\.formats\.0: "chat" is not allowed here\. This must be "chat-completions" or "messages" or/,
      ],
      [{ upstreams, routes: { usual: { use: ['b/m'], also: ['x'] } } }, /routes\.usual\.also\.0: "x" .*"overflow"/],
      [{ upstreams: [{ ...upstreams[0], models: ['n'] }], routes: { r: { use: ['m'] } } }, /routes\.r\.use\.0: .* "m"/],
      [{ upstreams, keys: [{ name: 'ci', secretEnv: 'UNSET_FOR_THIS_TEST' }] }, /"ci" .* UNSET_FOR_THIS_TEST/],
    ] as const) {
      save(content);
      await logged(served, new RegExp(`${complaint.source}.*[^.]\\. The last valid configuration stays in use\\.\\n`));
      assert.equal(await ask(served, 'usual'), 'A');
    }
    assert.equal(served.errors().split('stays in use').length, 5);
    save({ upstreams, aliases: { other: 'a/m' } });
    await logged(served, /Reloaded/);
    assert.equal(await ask(served, 'other'), 'A');
  });

  it('stays in effect after it was removed', async () => {
    const upstreams = [upstream('a', await startUpstream(says('A')))];
    save({ upstreams });
    const served = await startReloading(file);
    renameSync(file, join(folder, 'elsewhere'));
    await logged(served, /Could not read the configuration: ENOENT.*'\. The last valid configuration stays in use/);
    assert.equal(await ask(served, 'm'), 'A');
  });

  it('lets a request in progress continue with its original upstreams', async () => {
    const failed = Promise.withResolvers<void>();
    const first = await startUpstream(async (response, { path }) => {
      if (!path.endsWith('/models')) await failed.promise;
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"Busy."}}');
    });
    const second = await startUpstream(says('B'));
    save({ upstreams: [upstream('a', first), upstream('b', second)], routes: { coding: { use: ['a/m', 'b/m'] } } });
    const served = await startReloading(file);
    const answer = ask(served, 'coding');
    await eventually('it is asked', async () => first.requests.some(({ path }) => path.endsWith('/completions')));
    save({ upstreams: [upstream('c', await startUpstream(says('C')))] });
    await logged(served, /Reloaded/);
    assert.equal(await ask(served, 'm'), 'C');
    failed.resolve();
    assert.equal(await answer, 'B');
  });

  it('keeps a session on the upstream that it was moved to', async () => {
    let isDown = true;
    const first = await startUpstream((response, request) => {
      if (isDown) response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"Busy."}}');
      else void says('A')(response, request);
    });
    const upstreams = [upstream('a', first), upstream('b', await startUpstream(says('B')))];
    const routes = { coding: { use: ['a/m', 'b/m'] } };
    save({ upstreams, routes });
    const served = await startReloading(file);
    const session = { ...served, headers: { ...served.headers, 'x-session-id': 'one' } };
    assert.equal(await ask(session, 'coding'), 'B');
    isDown = false;
    save({ upstreams, routes, aliases: { usual: 'a/m' } });
    await logged(served, /Reloaded/);
    assert.equal(await ask(session, 'coding'), 'B');
    assert.equal(await ask(served, 'coding'), 'A');
  });

  it('keeps the requested pause of an upstream, unless its settings change', async () => {
    let isLimited = true;
    const first = await startUpstream((response, request) => {
      const headers = { 'content-type': 'application/json', 'retry-after': '600' };
      if (isLimited) response.writeHead(429, headers).end('{"error":{"message":"Slow down."}}');
      else void says('A')(response, request);
    });
    const [a, b] = [upstream('a', first), upstream('b', await startUpstream(says('B')))];
    const routes = { coding: { use: ['a/m', 'b/m'] } };
    save({ upstreams: [a, b], routes });
    const served = await startReloading(file);
    let sessions = 0;
    const answer = () => {
      sessions += 1;
      return ask({ ...served, headers: { ...served.headers, 'x-session-id': `session ${sessions}` } }, 'coding');
    };
    assert.equal(await answer(), 'B');
    isLimited = false;
    save({ upstreams: [a, b], routes, aliases: { usual: 'a/m' } });
    await logged(served, /Reloaded/);
    assert.equal(await answer(), 'B');
    save({ upstreams: [{ ...a, askUsage: false }, b], routes });
    await logged(served, /Reloaded.*Reloaded/s);
    assert.equal(await answer(), 'A');
  });

  it('keeps an upstream marked as unavailable until it answers, unless its settings change', async () => {
    let asked = 0;
    const first = await startUpstream((response, { path }) => {
      if (!path.endsWith('/models')) asked += 1;
      response.destroy();
    });
    const [a, b] = [upstream('a', first), upstream('b', await startUpstream(says('B')))];
    const routes = { coding: { use: ['a/m', 'b/m'] } };
    save({ upstreams: [a, b], routes });
    const served = await startReloading(file);
    for (let nth = 0; nth < 4; nth += 1) assert.equal(await ask(served, 'coding'), 'B');
    assert.equal(asked, 3);
    save({ upstreams: [a, b], routes, aliases: { usual: 'a/m' } });
    await logged(served, /Reloaded/);
    assert.equal(await ask(served, 'coding'), 'B');
    assert.equal(asked, 3);
    save({ upstreams: [{ ...a, askUsage: false }, b], routes });
    await logged(served, /Reloaded.*Reloaded/s);
    assert.equal(await ask(served, 'coding'), 'B');
    assert.equal(asked, 4);
  });

  it('ends the sessions of looping agents once it enables that', async () => {
    const upstreams = [upstream('a', await startUpstream(says('A')))];
    save({ upstreams });
    const served = await startServed(['--config', file]);
    const read = { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } };
    const round = [
      { role: 'assistant', tool_calls: [read] },
      { role: 'tool', tool_call_id: 'c', content: 'No such file.' },
    ];
    /** Returns the statuses of a conversation that makes the same call again and again. */
    const repeat = async (session: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (let rounds = 0; rounds < 5; rounds += 1) {
        const messages = [{ role: 'user', content: 'Fix it.' }, ...Array.from({ length: rounds }, () => round).flat()];
        const { port, headers } = served;
        const asked = { ...headers, 'x-session-id': session };
        const body = JSON.stringify({ model: 'm', messages });
        statuses.push((await send({ port, path: '/v1/chat/completions', headers: asked, body })).status);
        if (rounds === 3)
          await logged(served, new RegExp(`(3 times in a row\\..*){${session === 'one' ? 1 : 2}}`, 's'));
      }
      return statuses;
    };
    assert.deepEqual(await repeat('one'), [200, 200, 200, 200, 200]);
    save({ upstreams, endLoops: true });
    await logged(served, /Reloaded/);
    assert.deepEqual(await repeat('two'), [200, 200, 200, 200, 402]);
    assert.match(served.errors(), /It was ended\./);
  });

  it('adds new keys, revokes removed keys, and keeps the others unchanged', async () => {
    save({ keys: [{ name: 'stays' }, { name: 'goes' }] });
    const served = await startServed(['--config', file]);
    const status = async (secret = '') =>
      (await get({ port: served.port, path: '/v1/models', headers: { authorization: `Bearer ${secret}` } })).status;
    const { stays, goes } = served.keys;
    save({ keys: [{ name: 'stays', models: ['familya-*'] }, { name: 'comes' }] });
    await logged(served, /Reloaded/);
    const { keys } = JSON.parse(served.output()) as Pick<Served, 'keys'>;
    assert.deepEqual(Object.keys(keys), ['comes']);
    assert.deepEqual(
      [await status(stays), await status(goes), await status(keys.comes), await status(served.key)],
      [200, 401, 200, 200],
    );
    assert.equal(
      await ask({ ...served, headers: { ...served.headers, authorization: `Bearer ${stays}` } }, 'familyc-5.4'),
      '403',
    );
  });
});
