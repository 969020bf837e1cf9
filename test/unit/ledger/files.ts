import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ledger } from '../../../src/ledger/ledger.ts';

/** Folders of one test. {@link removeFolders} must be called in `afterEach`. */
const folders: string[] = [];

/** Returns a path for a ledger that does not exist yet. */
export function ledgerPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  folders.push(folder);
  return join(folder, 'below', 'ledger.sqlite');
}

/**
 * Returns the path of a ledger without entries. It is a copy, which takes a tenth of the time of creating a ledger, so
 * all have the same key for the hashes of session IDs.
 */
export function emptyLedger(): string {
  const path = ledgerPath();
  mkdirSync(dirname(path), { mode: 0o700 });
  writeFileSync(path, bytesOfEmpty(), { mode: 0o600 });
  return path;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

let empty: Buffer | undefined;

function bytesOfEmpty(): Buffer {
  if (empty === undefined) {
    const path = ledgerPath();
    new Ledger({ path }).close();
    empty = readFileSync(path);
  }
  return empty;
}
