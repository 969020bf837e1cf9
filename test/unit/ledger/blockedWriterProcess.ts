/**
 * Begins and ends exchanges in the ledger named by its argument while another connection keeps it from being written,
 * and kills itself once they are pending.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { entry } from './entries.ts';

const [path = ''] = process.argv.slice(2);
const IDS = ['first', 'second', 'ended'];

const ledger = new Ledger({ path });
const blocker = new DatabaseSync(path);
blocker.exec('BEGIN IMMEDIATE');
for (const id of IDS) ledger.begin(id, () => entry({ id, usageIsEstimated: true }));
ledger.append(entry({ id: 'ended' }));

const pending = () =>
  readdirSync(dirname(path))
    .filter((name) => name.includes('.pending-'))
    .map((name) => readFileSync(join(dirname(path), name), 'utf8'))
    .join('');
setInterval(() => {
  if (IDS.every((id) => pending().includes(`"${id}"`))) process.kill(process.pid, 'SIGKILL');
}, 1);
