import { join } from 'node:path';
import { packageFolder, ROOT } from '../paths.ts';
import { runNode, runNpm } from '../processes.ts';
import type { Artifacts } from './artifacts.ts';
import type { Release } from './release.ts';

const VSCE = join(packageFolder('@vscode/vsce'), 'vsce');
const OVSX = join(packageFolder('ovsx'), 'bin', 'ovsx');
/** A token that the local registry accepts. */
const TOKEN = 'no-account';

/** Publishes with the clients of the release workflow, but to the registry at `address`, which runs on this machine. */
export async function publishLocally(
  { vsix, gateway }: Artifacts,
  { npmTag }: Release,
  address: string,
): Promise<void> {
  await runNode([VSCE, 'publish', '--packagePath', vsix], {
    cwd: ROOT,
    env: { ...process.env, VSCE_MARKETPLACE_URL: address, VSCE_PAT: TOKEN },
  });
  await runNode([OVSX, 'publish', vsix], {
    cwd: ROOT,
    env: { ...process.env, OVSX_REGISTRY_URL: address, OVSX_PAT: TOKEN },
  });
  const credentials = `--${address.replace(/^http:/, '')}/:_authToken=${TOKEN}`;
  const options = ['--registry', address, '--access', 'public', '--tag', npmTag, '--loglevel', 'error'];
  await runNpm(['publish', gateway, ...options, credentials], { cwd: ROOT });
}
