import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../scripts/lib/paths.ts';
import { startTree, stopTree } from '../../scripts/lib/processes.ts';

export interface HostedService {
  /** Its base address. */
  readonly address: string;
  readonly key: string;
  stop(): Promise<void>;
}

/**
 * Starts the gateway with the sandbox in a process of its own, which the extension uses like any service.
 * @param credit in US dollars.
 */
export async function startHostedService(key: string, credit = 25): Promise<HostedService> {
  const serve = join(ROOT, 'scripts', 'gateway.cjs');
  const options = ['--port', '0', '--upstream', 'sandbox', '--key', key, '--credit', String(credit)];
  const child = startTree(process.execPath, [serve, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('The service has no output.');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { address } = JSON.parse(line) as { readonly address: string };
  return { address, key, stop: () => stopTree(child) };
}
