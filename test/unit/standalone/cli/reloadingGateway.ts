import { ConfigReload } from '../../../../packages/gateway/src/cli/configReload.ts';
import { readServeOptions } from '../../../../packages/gateway/src/cli/options.ts';
import { Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import { closeLater, startGateway } from '../../gateway/support/gateway.ts';
import type { Served } from '../../gateway/support/served.ts';

/** Tests wait for two looks at the file after each change. */
const INTERVAL_MS = 20;

/** What tests need of a gateway with a file of `--config`, whether or not it is a process. */
export type Reloading = Pick<Served, 'port' | 'headers' | 'errors'>;

/** Starts a gateway in this process that applies the file of `--config` whenever it has changed. */
export async function startReloading(path: string): Promise<Reloading> {
  const options = readServeOptions(['--config', path], {});
  if (options.config === undefined) throw new Error('The options name no file.');
  let errors = '';
  const onMessage = (message: string) => {
    errors += `${message}\n`;
  };
  const upstreams = new Upstreams({}, onMessage);
  closeLater(() => upstreams.close());
  const upstream = await upstreams.open(options.upstream, options.sandbox);
  const { gateway, port } = await startGateway({ upstream, localKeys: options.localKeys });
  const target = {
    gateway,
    upstreams,
    sandbox: options.sandbox,
    onNewKeys: () => undefined,
    onMessage,
    intervalMs: INTERVAL_MS,
  };
  const reload = new ConfigReload(options.config, options, upstream, target);
  closeLater(async () => {
    await gateway.close(0);
    await reload.close();
  });
  reload.watch();
  const headers = { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' };
  return { port, headers, errors: () => errors };
}
