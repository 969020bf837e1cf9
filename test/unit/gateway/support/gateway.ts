import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import { Gateway, type GatewayOptions } from '../../../../src/gateway/server/gateway.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { LOCAL_KEY } from './client.ts';
import { type Script, type ScriptedService, startService } from './scriptedService.ts';

export const SERVICE_KEY = 'key_canary-0f8e1d2c3b4a5968';

export interface RunningGateway {
  readonly port: number;
  readonly gateway: Gateway;
  readonly records: readonly ExchangeRecord[];
  /** Resolves with the next record. */
  nextRecord(): Promise<ExchangeRecord>;
  readonly errors: readonly unknown[];
}

export interface RunningPair extends RunningGateway {
  readonly service: ScriptedService;
}

const closers: (() => Promise<unknown>)[] = [];

export function closeLater(close: () => Promise<unknown>): void {
  closers.push(close);
}

/** Closes what the test opened, in reverse order. Call in `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export async function startGateway(
  options: Partial<GatewayOptions> & Pick<GatewayOptions, 'upstream'>,
): Promise<RunningGateway> {
  const records: ExchangeRecord[] = [];
  const errors: unknown[] = [];
  const waiting: ((record: ExchangeRecord) => void)[] = [];
  const gateway = new Gateway({
    localKeys: [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 }],
    onExchange: (record) => {
      records.push(record);
      for (const resolve of waiting.splice(0)) resolve(record);
    },
    onError: (error) => errors.push(error),
    // Otherwise, each gateway starts a thread that reads a vocabulary, which takes longer than most tests.
    measuresContext: false,
    ...options,
  });
  closers.push(() => gateway.close(0));
  const { port } = await gateway.listen(0);
  return { port, gateway, records, errors, nextRecord: () => new Promise((resolve) => waiting.push(resolve)) };
}

/** Starts a gateway in front of a scripted hosted service. */
export async function startPair(script?: Script, options: Partial<GatewayOptions> = {}): Promise<RunningPair> {
  const service = await startService(script);
  closers.push(() => service.close());
  const upstream = createHosted({ baseAddress: service.baseAddress, serviceKey: SERVICE_KEY });
  closers.push(() => upstream.close());
  const running = await startGateway({ upstream, ...options });
  return { ...running, service };
}
