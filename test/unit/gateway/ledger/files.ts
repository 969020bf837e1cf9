import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders of one test. {@link removeFolders} must be called in `afterEach`. */
const folders: string[] = [];

/** Returns a path for a ledger that does not exist yet. */
export function ledgerPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  folders.push(folder);
  return join(folder, 'below', 'ledger.sqlite');
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
