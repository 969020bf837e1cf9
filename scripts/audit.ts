/**
 * Asks the registry for known vulnerabilities of the packages that the product is made of. Without a network it says so
 * and passes, since a run without one has nothing to tell.
 *
 *     npm run audit
 */
import { spawnSync } from 'node:child_process';

const UNREACHABLE =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|audit endpoint returned an error/i;

const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit', 'dev', '--audit-level', 'moderate'], {
  encoding: 'utf8',
  // A silent npm would not say what went wrong.
  env: { ...process.env, npm_config_loglevel: 'warn' },
  shell: process.platform === 'win32',
});
if (status !== 0 && UNREACHABLE.test(stdout + stderr)) {
  console.warn('npm audit could not reach the registry. Nothing was checked.');
} else {
  console.log(stdout + stderr);
  process.exitCode = status ?? 1;
}
