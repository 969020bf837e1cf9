import { spawn } from 'node:child_process';

/** Opens an address in the default browser, if there is one. Never fails. */
export function openAddress(address: string): void {
  const [command, args] = opener(address);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.once('error', () => console.log('No browser was found to open it; open the address yourself.'));
  child.unref();
}

function opener(address: string): [command: string, args: readonly string[]] {
  if (process.platform === 'darwin') return ['open', [address]];
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}
