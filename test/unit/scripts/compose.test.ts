import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readServeOptions } from '../../../packages/gateway/src/cli/options.ts';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { instruction } from '../../support/containerfile.ts';

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly volumes: readonly string[];
  readonly stop_grace_period: string;
}

const COMPOSE = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true });
const REPLICAS = ['gateway-1', 'gateway-2'].map((name) => COMPOSE.services[name] as Service);

/** How long a gateway behind a proxy answers 503 before it closes its port (`packages/gateway/src/cli/serve.ts`). */
const NOTICE_MS = 3_000;

/** Expands variables like Compose if only the password is set. */
const expand = (text: string) =>
  text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name, kind, value) => (kind === '-' ? value : `the-${name}`));

describe('the replicas in compose.yaml', () => {
  for (const [nth, replica] of REPLICAS.entries()) {
    it(`start replica ${nth + 1} with valid options on the shared database`, () => {
      const entries = Object.entries(replica.environment).map(([name, value]) => [name, expand(value)]);
      const [name = '', value] = instruction('ENV')?.split('=') ?? [];
      const environment = { ...Object.fromEntries(entries), [name]: value };
      const options = readServeOptions(replica.command.map(expand), environment);
      assert.deepEqual([options.host, options.port, options.upstream.kind], ['0.0.0.0', 8787, 'sandbox']);
      assert.equal(options.database?.address, 'postgres://gateway:the-POSTGRES_PASSWORD@postgres/gateway');
      assert.ok(options.database?.spool.startsWith('/data/'), 'The rest of the container cannot be written to.');
      assert.deepEqual(options.trustedProxies, [COMPOSE.networks.default.ipam.config[0].subnet]);
      assert.ok(Number.parseInt(replica.stop_grace_period, 10) * 1000 > options.drainMs);
    });
  }

  it('have unique host names and spool volumes, with which they find their leftover files', () => {
    assert.equal(new Set(REPLICAS.map(({ hostname }) => hostname)).size, REPLICAS.length);
    assert.equal(new Set(REPLICAS.flatMap(({ volumes }) => volumes)).size, REPLICAS.length);
  });

  it('are the servers of the load balancer', () => {
    const config = COMPOSE.configs.balancer.content as string;
    const servers = [...config.matchAll(/^ *server (\S+) \1:8787$/gm)].map(([, name]) => name);
    assert.deepEqual(
      servers,
      REPLICAS.map(({ hostname }) => hostname),
    );
  });

  it('get no more requests from the load balancer before they close their port, but may answer one check late', () => {
    const config = COMPOSE.configs.balancer.content as string;
    const [, inter, fast, fall] = /check inter (\d+)s fastinter (\d+)ms fall (\d+) /.exec(config) ?? [];
    assert.ok(Number(fall) > 1);
    const noticed = Number(inter) * 1000 + (Number(fall) - 1) * Number(fast);
    assert.ok(noticed < NOTICE_MS, `The balancer notices after ${noticed} ms.`);
  });
});
