/**
 * Builds the container image and sends requests to the gateway in it, with Docker or Podman:
 *
 *     npm run test:container
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from './lib/paths.ts';
import { run } from './lib/processes.ts';
import { step } from './lib/progress.ts';

const IMAGE = 'model-access-gateway:test';
const KEY = 'key_of-the-container-test';
const POLL_MS = 500;
const HEALTHY_WITHIN_MS = 60_000;

const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
if (engine === undefined) throw new Error('There is no container engine. Install Docker or Podman, and start it.');
const ask = (...args: string[]) => run(engine, args, { cwd: ROOT }).then((output) => output.trim());
const inspect = (id: string, format: string) => ask('inspect', '--format', `{{${format}}}`, id);

// Podman's own format does not support health checks.
const format = engine === 'podman' ? ['--format', 'docker'] : [];
await step('Building the image', () => ask('build', ...format, '--file', 'Containerfile', '--tag', IMAGE, '.'));
const gateway = ['--allow-host', 'localhost', '--delay', '1', '--ledger', '/data/ledger.sqlite'];
const options = ['--detach', '--read-only', '--volume', '/data', '--publish', '127.0.0.1::8787'];
const container = await ask('run', ...options, '--env', `MODEL_ACCESS_LOCAL_KEY=${KEY}`, IMAGE, ...gateway);
try {
  await step('Waiting until it is healthy', () => untilHealthy(container));
  await step('Asking it', () => askGateway(container));
  await step('Stopping it', () => ask('stop', '--time', '30', container));
  assert.equal(await inspect(container, '.State.ExitCode'), '0', 'It did not end by itself.');
} finally {
  console.log(await ask('logs', container));
  await ask('rm', '--force', '--volumes', container);
}

async function untilHealthy(id: string): Promise<void> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  while ((await inspect(id, '.State.Health.Status')) !== 'healthy') {
    assert.equal(await inspect(id, '.State.Running'), 'true', 'The container has ended.');
    assert.ok(Date.now() < deadline, 'It did not become healthy.');
    await wait(POLL_MS);
  }
}

async function askGateway(id: string): Promise<void> {
  const [published = ''] = (await ask('port', id, '8787/tcp')).split('\n');
  const answer = await fetch(`http://${published}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'familya-haiku-4.5', messages: [{ role: 'user', content: 'echo: hello' }] }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.match(text, /hello/);
}
