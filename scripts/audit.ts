/**
 * Asks the registry for known vulnerabilities of the packages in the product. Without a network it prints a message and
 * passes, because it cannot report anything. On GitHub, where there is a network, it fails, unless npm is configured to
 * be offline.
 *
 *     npm run audit
 */
import { spawnSync } from 'node:child_process';

const UNREACHABLE =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|audit endpoint returned an error/i;

const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit', 'dev', '--audit-level', 'moderate'], {
  encoding: 'utf8',
  // With a silent log level, npm would not print errors.
  env: { ...process.env, npm_config_loglevel: 'warn' },
  shell: process.platform === 'win32',
});
if (status !== 0 && UNREACHABLE.test(stdout + stderr)) {
  const message = 'npm audit could not reach the registry. Nothing was checked.';
  const isExpected = process.env.GITHUB_ACTIONS !== 'true' || process.env.npm_config_offline === 'true';
  console.warn(isExpected ? message : `::error title=npm audit::${message}`);
  if (!isExpected) process.exitCode = 1;
} else {
  console.log(stdout + stderr);
  process.exitCode = status ?? 1;
}
