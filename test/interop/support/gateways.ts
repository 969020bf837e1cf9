import { FORMAT_NAMES, type FormatName } from '../../../src/formats/conversation.ts';
import type { Upstream } from '../../../src/gateway/core/upstream.ts';
import { Upstreams } from '../../../src/gateway/routing/upstreams.ts';
import { Sandbox } from '../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { LOCAL_KEY } from '../../unit/gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../../unit/gateway/support/gateway.ts';
import { startServed } from '../../unit/gateway/support/served.ts';
import type { GatewayAddress } from './sdkClient.ts';

export interface StartedGateway extends GatewayAddress {
  stop(): Promise<void>;
}

/** A gateway in a process of its own, as a user starts it. */
export interface ServedGateway extends StartedGateway {
  /** All output of the process except its address and its key. */
  readonly output: () => string;
}

export async function serve(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<ServedGateway> {
  const { address, key, output, errors, stop } = await startServed(args, environment);
  return { address, key, root: address.replace(/\/v1$/, ''), output: () => output() + errors(), stop };
}

const SANDBOX = ['--upstream', 'sandbox', '--delay', '1'];

export interface Setup {
  readonly name: string;
  /** Whether the upstream counts tokens itself. Servers of formats other than messages have no endpoint for it. */
  readonly countsTokens: boolean;
  start(): Promise<StartedGateway>;
}

/**
 * The sandbox behind one gateway, and behind two: the outer gateway passes through the answers of the inner one, or
 * uses only one format with it and translates the others. In the first two, the gateway that the client asks runs in a
 * process of its own, as a user starts it.
 */
export const SETUPS: readonly Setup[] = [
  { name: 'the sandbox', countsTokens: true, start: () => serve(SANDBOX) },
  { name: 'a hosted service', countsTokens: true, start: startOuter },
  ...FORMAT_NAMES.map((format) => ({
    name: `an upstream of ${format} alone`,
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
  const stop = async () => {
    await outer.stop();
    await inner.stop();
  };
  return { ...outer, inner, stop };
}

async function startOuter(): Promise<StartedGateway> {
  const inner = await startHere(new Sandbox({ delayMs: 1 }));
  const outer = await serve(['--upstream', `hosted:${inner.address}`], { MODEL_ACCESS_KEY: inner.key });
  closeLater(() => outer.stop());
  return { ...outer, stop: closeAll };
}

async function startRouted(format: FormatName): Promise<StartedGateway> {
  const inner = await startHere(new Sandbox({ delayMs: 1 }));
  const upstreams = new Upstreams();
  closeLater(() => upstreams.close());
  const upstream = { id: 'inner', baseUrl: inner.address, formats: [format], apiKey: inner.key, models: ['*'] };
  return startHere(await upstreams.open({ kind: 'routed', upstreams: [upstream] }));
}

async function startHere(upstream: Upstream): Promise<StartedGateway> {
  closeLater(() => upstream.close());
  const { port } = await startGateway({ upstream });
  const root = `http://127.0.0.1:${port}/api`;
  return { address: `${root}/v1`, root, key: LOCAL_KEY, stop: closeAll };
}
