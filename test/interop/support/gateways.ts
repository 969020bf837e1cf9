import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_NAMES, type FormatName } from '../../../src/formats/conversation.ts';
import { startServed } from '../../unit/gateway/support/served.ts';
import type { GatewayAddress } from './sdkClient.ts';

/** A gateway in a process of its own, as a user starts it. */
export interface ServedGateway extends GatewayAddress {
  /** All output of the process except its address and its key. */
  readonly output: () => string;
  stop(): Promise<void>;
}

export async function serve(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<ServedGateway> {
  const { address, key, output, errors, stop } = await startServed(args, environment);
  return { address, key, root: address.replace(/\/v1$/, ''), output: () => output() + errors(), stop };
}

const SANDBOX = ['--upstream', 'sandbox', '--delay', '1'];

export interface Setup {
  readonly name: string;
  /** Whether reasoning has a signature. Servers of the chat-completions format provide none. */
  readonly provesReasoning: boolean;
  /** Whether the upstream counts tokens itself. Servers of formats other than messages have no endpoint for it. */
  readonly countsTokens: boolean;
  start(): Promise<ServedGateway>;
}

/**
 * The sandbox behind one gateway, and behind two: the outer gateway passes through the answers of the inner one, or
 * uses only one format with it and translates the others.
 */
export const SETUPS: readonly Setup[] = [
  { name: 'the sandbox', provesReasoning: true, countsTokens: true, start: () => serve(SANDBOX) },
  { name: 'a hosted service', provesReasoning: true, countsTokens: true, start: startChain },
  ...FORMAT_NAMES.map((format) => ({
    name: `an upstream of ${format} alone`,
    provesReasoning: format !== 'chat-completions',
    countsTokens: format === 'messages',
    start: () => startRouted(format),
  })),
];

export interface ChainedGateway extends ServedGateway {
  /** The inner gateway, which is the hosted service of the outer one. */
  readonly inner: ServedGateway;
}

export async function startChain(): Promise<ChainedGateway> {
  const inner = await serve(SANDBOX);
  const outer = await serve(['--upstream', `hosted:${inner.address}`], { MODEL_ACCESS_KEY: inner.key });
  return chained(outer, inner);
}

async function startRouted(format: FormatName): Promise<ChainedGateway> {
  const inner = await serve(SANDBOX);
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  const config = join(folder, 'upstreams.json');
  const upstream = { id: 'inner', baseUrl: inner.address, formats: [format], apiKeyEnv: 'INNER_KEY', models: ['*'] };
  await writeFile(config, JSON.stringify({ upstreams: [upstream] }));
  const outer = await serve(['--config', config], { INNER_KEY: inner.key });
  return chained(outer, inner, () => rm(folder, { recursive: true }));
}

function chained(outer: ServedGateway, inner: ServedGateway, clean?: () => Promise<void>): ChainedGateway {
  const stop = async () => {
    await outer.stop();
    await inner.stop();
    await clean?.();
  };
  return { ...outer, inner, stop };
}
