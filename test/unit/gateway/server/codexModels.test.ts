import assert from 'node:assert/strict';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { issued, startLimited } from '../budgets/limited.ts';
import { LOCAL_KEY } from '../support/client.ts';
import { closeAll, startGateway, startPair } from '../support/gateway.ts';

interface Listed {
  readonly slug: string;
  readonly description: string | null;
  readonly context_window: number;
  readonly supported_reasoning_levels: readonly { readonly effort: string }[];
  readonly priority: number;
}

describe("the list of models in Codex's form", () => {
  afterEach(closeAll);

  const get = (port: number, query: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/models${query}`, { headers: { authorization: `Bearer ${LOCAL_KEY}` } });
  const listed = async (port: number): Promise<readonly Listed[]> =>
    (await (await get(port, '?client_version=0.169.0')).json()).models;

  it('has every model of the catalog in its order, with its context window, efforts, and prices', async () => {
    const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
    const { data } = await (await get(port, '')).json();
    const models = await listed(port);
    assert.deepEqual(
      models.map(({ slug }) => slug),
      data.map(({ id }: { id: string }) => id),
    );
    assert.deepEqual(
      models.map(({ context_window }) => context_window),
      data.map(({ context_window }: { context_window: number }) => context_window),
    );
    assert.deepEqual(
      models.map(({ priority }) => priority),
      models.map((_, place) => place),
    );
    const [haiku] = models.filter(({ slug }) => slug === 'familya-haiku-4.5');
    assert.equal(haiku?.description, '$1 in, $5 out per million tokens');
    assert.deepEqual(haiku?.supported_reasoning_levels, []);
    assert.ok(models.some(({ supported_reasoning_levels: levels }) => levels.some(({ effort }) => effort === 'high')));
  });

  it('has only the models that the local key may use', async () => {
    const { port } = await startLimited(issued({ models: ['model-*'] }), () => assert.fail());
    assert.deepEqual(
      (await listed(port)).map(({ slug, description, context_window }) => [slug, description, context_window]),
      [['model-a', '$1 in, $10 out per million tokens', 128_000]],
    );
  });

  it('is asked for without the version of Codex', async () => {
    const { port, server } = await startLimited(issued(), () => assert.fail());
    assert.equal((await listed(port)).length, 3);
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/api/v1/models'],
    );
  });

  it('is not made of an error of the upstream', async () => {
    const { port } = await startPair((response) => {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"Later."}}');
    });
    const answer = await get(port, '?client_version=0.169.0');
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /Later/);
  });
});
