/**
 * Audits the ledger for a long time: `npm run soak:bill [minutes]`. Runs the tests that compare the ledger with the
 * services' own bills, with one seed after the other, and prints the sums of all runs as a table.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Sums = Readonly<Record<string, number>>;

const minutes = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'bill-'));
const report = join(folder, 'sums.jsonl');
const until = Date.now() + minutes * 60_000;
let seed = Date.now() % 1_000_000;

do {
  seed += 1;
  const environment = { ...process.env, BILL_SEED: String(seed), TEST_RUNS: '25', BILL_REPORT: report };
  const args = [
    'mocha',
    '--timeout',
    '600000',
    'test/unit/gateway/bill/bill.test.ts',
    'test/unit/gateway/bill/failover.test.ts',
    'test/unit/gateway/bill/searches.test.ts',
  ];
  const { status } = spawnSync('npx', args, {
    env: environment,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`It failed with the seed ${seed}.`);
    process.exitCode = 1;
    break;
  }
} while (Date.now() < until);

const totals = new Map<string, number>();
for (const line of readFileSync(report, 'utf8').trim().split('\n')) {
  for (const [name, sum] of Object.entries(JSON.parse(line) as Sums)) totals.set(name, (totals.get(name) ?? 0) + sum);
}
rmSync(folder, { recursive: true, force: true });
console.table(Object.fromEntries(totals));
