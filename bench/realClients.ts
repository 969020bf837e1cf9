/**
 * Lets Claude Code and opencode work through the gateway on servers as strict as those of well-known vendors: ten steps
 * with tools, then a second question. Prints how often each server has refused a request, and when it did last.
 * `node bench/realClients.ts FOLDER [CLIENT]`, where the folder has both packages: `npm install opencode-ai
 * @anthropic-ai/claude-code`. Neither needs an account, and nothing outside this machine is reached.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router } from '../src/gateway/routing/router.ts';
import { createCompatible } from '../src/gateway/upstreams/compatible.ts';
import { ModelServer } from '../test/support/modelServer/modelServer.ts';
import { STRICT_SERVERS, type StrictServer } from '../test/support/strictServers.ts';
import { closeAll, closeLater, startGateway } from '../test/unit/gateway/support/gateway.ts';
import { ask, CLIENTS, type Client } from './clients/clients.ts';

const STEPS = 10;

const QUESTIONS = ['Run the checks one after the other.', 'Run all of them once more.'];

interface Strict {
  readonly port: number;
  /** For each request for an answer: whether it was refused, and why. */
  readonly asked: (string | undefined)[];
}

/** A model that calls the shell until it has done all steps of the current question. */
async function startStrict({ refuse, reasons }: StrictServer): Promise<Strict> {
  const asked: (string | undefined)[] = [];
  const server = await ModelServer.start(({ format, body }) => {
    if (format === undefined) return undefined;
    const refused = refuse(body);
    asked.push(refused && JSON.stringify(refused.body));
    if (refused !== undefined) return refused;
    const shell = body.tools?.find(({ function: { name } }: { function: { name: string } }) => /^bash$/i.test(name));
    const done = resultsOf(body.messages);
    const step = { command: `echo step ${asked.length}`, description: 'A check' };
    const said =
      shell === undefined || done >= STEPS
        ? { text: `Done after ${done}.` }
        : { call: `call_${asked.length}`, name: shell.function.name, arguments: JSON.stringify(step) };
    return { parts: [...(reasons ? [{ reasoning: 'Hm.' }] : []), said] };
  });
  closeLater(() => server.close());
  const settings = { id: 'strict', baseUrl: server.baseUrl, formats: ['chat-completions'] as const, models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
  closeLater(() => router.close());
  return { port: (await startGateway({ upstream: router })).port, asked };
}

interface Said {
  readonly role: string;
  readonly content?: unknown;
}

/** The results since the last question. */
function resultsOf(messages: readonly Said[]): number {
  const asks = ({ role, content }: Said) =>
    role === 'user' && QUESTIONS.some((each) => JSON.stringify(content).includes(each));
  return messages.slice(messages.findLastIndex(asks) + 1).filter(({ role }) => role === 'tool').length;
}

async function measure(client: Client, strict: StrictServer, packages: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'real-client-'));
  try {
    const { port, asked } = await startStrict(strict);
    const place = { packages, folder: join(folder, 'work'), port, model: strict.model };
    const turns = [];
    for (const question of QUESTIONS) {
      const from = asked.length;
      const { code, output } = await ask(client, place, question, from === 0);
      const isDone = code === 0 && output.includes(`Done after ${STEPS}.`);
      if (!isDone) console.error(output.slice(-2000));
      const refusals = asked.slice(from).flatMap((refused, at) => (refused === undefined ? [] : [at + 1]));
      const last = refusals.at(-1);
      const when = last === undefined ? '' : `, the last one at request ${last}`;
      turns.push(
        `${isDone ? 'done' : `failed (${code})`}, ${asked.length - from} requests, ${refusals.length} refused${when}`,
      );
    }
    return turns.join('; then ');
  } finally {
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [packages, wanted = ''] = process.argv.slice(2);
if (packages === undefined) throw new Error('Name the folder in which both packages are installed.');
for (const client of CLIENTS.filter(({ name }) => name.includes(wanted))) {
  for (const strict of STRICT_SERVERS) {
    console.log(`${client.name} on ${strict.name}: ${await measure(client, strict, packages)}`);
  }
}
