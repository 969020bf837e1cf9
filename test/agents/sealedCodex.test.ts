import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConversation } from '../support/modelServer/askedConversation.ts';
import type { Answer, AskedRequest } from '../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { needCodex, runCodex } from './support/codex.ts';
import { prepareTask, type Task } from './support/task.ts';
import { toolCall } from './support/toolUse.ts';

/** Their tools are functions, a free-form tool beside functions, and JavaScript in a free-form tool. */
const MODELS = ['unknown-model', 'gpt-5.5', 'gpt-6-sol'];

/** A model that reads a token from a file, and uses what it has read as an argument of a program. */
function readAndUse(request: AskedRequest): Answer {
  const { calls, results, tools } = readConversation(request);
  const read = /TOKEN=(\S+)/.exec(results[0]?.text ?? '')?.[1];
  const command = ["node -p \"fs.readFileSync('.env', 'utf8')\"", `node use.mjs ${read}`][calls.length];
  if (command === undefined) return { parts: [{ text: `It says: ${results.at(-1)?.text}` }] };
  return { parts: [{ call: `call_${calls.length}`, ...toolCall({ command }, tools) }], pieceBytes: 97 };
}

describe('Codex through a gateway that seals secrets', () => {
  const program = needCodex();
  let task: Task;
  beforeEach(async () => {
    task = await prepareTask();
    closeLater(() => task.remove());
  });
  afterEach(closeAll);

  for (const model of MODELS) {
    it(`uses a token of a file that the service has not seen, with model "${model}"`, async () => {
      const token = `ghp_${randomBytes(18).toString('hex')}`;
      const digest = createHash('sha256').update(token).digest('hex');
      await writeFile(join(task.folder, '.env'), `TOKEN=${token}\n`);
      const use = [
        "import { createHash } from 'node:crypto';",
        "const digest = createHash('sha256').update(process.argv[2]).digest('hex');",
        `console.log(digest === '${digest}' ? 'It is right, ${task.password}.' : 'It is wrong.');`,
      ];
      await writeFile(join(task.folder, 'use.mjs'), use.join('\n'));
      const gateway = await startRouter([{ formats: ['messages'], script: readAndUse, secretPolicy: 'seal' }]);
      const prompt = 'Read the token in .env, and run use.mjs with it.';
      const run = await runCodex(program(), {
        port: gateway.port,
        key: LOCAL_KEY,
        model,
        folder: task.folder,
        prompt,
      });
      assert.equal(run.code, 0, run.output);
      assert.ok(run.answer.includes(task.password), run.output);
      const sent = gateway.servers[0]?.requests.map(({ text }) => text).join('\n') ?? '';
      assert.ok(!sent.includes(token) && /ghp_5EA1ED\w+/.test(sent));
      assert.ok(gateway.records.some(({ sealed }) => sealed === 1));
    });
  }
});
