/**
 * Looks for secrets that leave or do not come back: `npm run soak:seal [conversations]` (10,000). Runs the random tests of
 * sealed secrets, with others than `npm test` tries.
 */
import { spawnSync } from 'node:child_process';

/** How many conversations `npm test` tries. */
const OF_ONE_RUN = 40;

const conversations = Number(process.argv[2] ?? 10_000);
const args = [
  'mocha',
  '--timeout',
  '0',
  'test/unit/gateway/secrets/sealedConversations.test.ts',
  'test/unit/secrets/sealing/sealing.test.ts',
];
const { status } = spawnSync('npx', args, {
  env: { ...process.env, TEST_RUNS: String(conversations / OF_ONE_RUN) },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
