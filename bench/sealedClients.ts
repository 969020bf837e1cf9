/**
 * Lets Claude Code and opencode use a token of a `.env` file through a gateway that seals secrets, and looks whether the
 * service has seen it. `node bench/sealedClients.ts FOLDER [CLIENT]`, as `bench/realClients.ts`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConversation } from '../test/support/modelServer/askedConversation.ts';
import type { Answer, AskedRequest } from '../test/support/modelServer/modelServer.ts';
import { closeAll } from '../test/unit/gateway/support/gateway.ts';
import { startRouter } from '../test/unit/gateway/support/routed.ts';
import { ask, CLIENTS, type Client } from './clients/clients.ts';

const QUESTION = 'Read the token in .env, and run use.mjs with it.';

/** A model that reads the token, and uses what it has read as an argument of a program. */
function readAndUse(request: AskedRequest): Answer {
  const { calls, results, tools } = readConversation(request);
  const shell = tools.find(({ name }) => /^bash$/i.test(name))?.name;
  const read = /TOKEN=(\w+)/.exec(results[0]?.text ?? '')?.[1];
  const command = ['cat .env', `node use.mjs ${read}`][calls.length];
  if (command === undefined || shell === undefined) return { parts: [{ text: `It says: ${results.at(-1)?.text}` }] };
  const call = {
    call: `call_${calls.length}`,
    name: shell,
    arguments: JSON.stringify({ command, description: 'A step' }),
  };
  return { parts: [call], pieceBytes: 97 };
}

async function tryClient(client: Client, packages: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'sealed-client-'));
  const folder = join(home, 'work');
  const token = `ghp_${randomBytes(18).toString('hex')}`;
  const digest = createHash('sha256').update(token).digest('hex');
  const program = `import { createHash } from 'node:crypto';
const digest = createHash('sha256').update(process.argv[2]).digest('hex');
console.log(digest === '${digest}' ? 'The token is right.' : 'The token is wrong.');
`;
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, '.env'), `TOKEN=${token}\n`);
    writeFileSync(join(folder, 'use.mjs'), program);
    const gateway = await startRouter([{ formats: ['chat-completions'], script: readAndUse, secretPolicy: 'seal' }]);
    const place = { packages, folder, port: gateway.port, model: 'familya-sonnet-4.6' };
    const { code, output } = await ask(client, place, QUESTION, true);
    const sent = gateway.servers[0]?.requests.map(({ text }) => text).join('\n') ?? '';
    const isRight = code === 0 && output.includes('The token is right.');
    if (!isRight) console.error(output.slice(-2000));
    const sealed = gateway.records.filter((record) => (record.sealed ?? 0) > 0).length;
    return `${isRight ? 'used it' : `failed (${code})`}, ${sent.includes(token) ? 'the service has SEEN it' : 'the service has not seen it'}, ${sealed} requests sealed`;
  } finally {
    await closeAll();
    rmSync(home, { recursive: true, force: true });
  }
}

const [packages, wanted = ''] = process.argv.slice(2);
if (packages === undefined) throw new Error('Name the folder in which both packages are installed.');
for (const client of CLIENTS.filter(({ name }) => name.includes(wanted))) {
  console.log(`${client.name}: ${await tryClient(client, packages)}`);
}
