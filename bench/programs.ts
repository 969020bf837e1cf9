/** The programs that are compared, each started as in production: with access checks, the ledger, and records. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program, Target } from './processes.ts';

export const BASELINE = 'bare proxy';
export const GATEWAY = 'gateway';

export const UPSTREAM: Program = { name: 'direct', command: ['bench/fakeUpstream.ts'] };

/** The arguments of `node` in `npm run gateway`. */
const [, ...GATEWAY_COMMAND] = commandOf('gateway');

function commandOf(script: string): string[] {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { scripts } = JSON.parse(text) as { scripts: Record<string, string> };
  return (scripts[script] ?? '').split(' ');
}

/** Routes with these names lead to the models of the same names on the fake upstream. */
const ROUTED_MODELS = ['json', 'events-200', 'events-200-1'];

/** The programs in front of one upstream, and the files that they need. */
export class Programs {
  readonly #folder = mkdtempSync(join(tmpdir(), 'model-access-bench-'));
  readonly #upstream: Target;
  #ledgers = 0;

  constructor(upstream: Target) {
    this.#upstream = upstream;
  }

  get bareProxy(): Program {
    return { name: BASELINE, command: ['bench/bareProxy.mjs', new URL(this.#upstream.address).port] };
  }

  /** The gateway in front of the service itself, so that everything is passed through unchanged. */
  get gateway(): Program {
    return this.#gateway('--upstream', `hosted:${this.#upstream.address}`);
  }

  /** The gateway in front of an upstream that only supports chat-completions. */
  get translatingGateway(): Program {
    return this.#translatingGateway('upstreams.json');
  }

  /** The same without the measure of what requests consist of. */
  get unmeasuringGateway(): Program {
    return this.#translatingGateway('unmeasured.json', { measureContext: false });
  }

  /** The gateway with a route of two models, so that an answer is held back until its first output. */
  get routingGateway(): Program {
    const file = join(this.#folder, 'routes.json');
    const upstream = { baseUrl: this.#upstream.address, formats: ['chat-completions'], apiKeyEnv: 'MODEL_ACCESS_KEY' };
    const upstreams = ['first', 'second'].map((id) => ({ id, ...upstream }));
    const models = ROUTED_MODELS.map((model) => [model, { use: [`first/${model}`, `second/${model}`] }]);
    writeFileSync(file, JSON.stringify({ upstreams, routes: Object.fromEntries(models) }));
    return { ...this.#gateway('--config', file), name: 'by a route' };
  }

  /** The gateway that replaces secrets in all requests. Without the policy, an upstream on this machine gets them. */
  get sealingGateway(): Program {
    const file = join(this.#folder, 'sealed.json');
    const upstream = { id: 'bench', baseUrl: this.#upstream.address, formats: ['chat-completions'], secrets: 'seal' };
    writeFileSync(file, JSON.stringify({ upstreams: [{ ...upstream, apiKeyEnv: 'MODEL_ACCESS_KEY' }] }));
    return { ...this.#gateway('--config', file), name: 'sealed' };
  }

  /** Returns the path of a new ledger. */
  newLedger(): string {
    this.#ledgers += 1;
    return join(this.#folder, `ledger-${this.#ledgers}.sqlite`);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #translatingGateway(name: string, settings: object = {}): Program {
    const file = join(this.#folder, name);
    const upstream = { id: 'bench', baseUrl: this.#upstream.address, formats: ['chat-completions'] };
    writeFileSync(file, JSON.stringify({ ...settings, upstreams: [{ ...upstream, apiKeyEnv: 'MODEL_ACCESS_KEY' }] }));
    return this.#gateway('--config', file);
  }

  #gateway(...args: readonly string[]): Program {
    return {
      name: GATEWAY,
      command: [...GATEWAY_COMMAND, '--port', '0', '--ledger', this.newLedger(), ...args],
      environment: { MODEL_ACCESS_KEY: 'key_as_long_as_those_of_a_service' },
    };
  }
}
