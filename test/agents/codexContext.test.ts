import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bookkeeper } from '../../src/gateway/exchanges/bookkeeper.ts';
import { LedgerReader } from '../../src/ledger/ledgerReader.ts';
import { readConversation } from '../support/modelServer/askedConversation.ts';
import type { Answer, AskedRequest } from '../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { emptyLedger, removeFolders } from '../unit/ledger/files.ts';
import { needCodex, runCodex } from './support/codex.ts';
import { prepareTask, type Task } from './support/task.ts';
import { toolCall } from './support/toolUse.ts';

/** A model that reads a long file twice. */
function readTwice(request: AskedRequest): Answer {
  const { calls, tools } = readConversation(request);
  if (calls.length === 2) return { parts: [{ text: 'It is read.' }] };
  const command = "node -p \"fs.readFileSync('long.txt', 'utf8')\"";
  return { parts: [{ call: `call_${calls.length}`, ...toolCall({ command }, tools) }] };
}

describe('Codex through a gateway that measures contexts', () => {
  const program = needCodex();
  let task: Task;
  beforeEach(async () => {
    task = await prepareTask();
    closeLater(() => task.remove());
  });
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  it('has each request of its session in parts that add up to its input', async () => {
    await writeFile(join(task.folder, 'long.txt'), 'A line of a long file.\n'.repeat(200));
    const ledger = emptyLedger();
    const books = new Bookkeeper({ ledger });
    const options = { books, measuresContext: true };
    const { port } = await startRouter([{ formats: ['messages'], script: readTwice }], {}, options);
    const run = { port, key: LOCAL_KEY, model: 'gpt-5.5', folder: task.folder, prompt: 'Read long.txt.' };
    const { code, output } = await runCodex(program(), run);
    assert.equal(code, 0, output);
    await closeAll();
    await books.close();
    const reader = new LedgerReader(ledger);
    const { rows } = reader.exchanges({ filter: {}, limit: 100 });
    const sessionId = rows.find((row) => row.sessionId !== undefined)?.sessionId ?? assert.fail('There is no session.');
    const { steps, parts } = reader.sessionContext(sessionId);
    const measured = new Map(steps.map(({ id, tokens }) => [id, tokens.reduce((sum, each) => sum + each, 0)]));
    reader.close();
    assert.ok(measured.size >= 3, `${measured.size} of ${rows.length}`);
    for (const { id, usage } of rows) {
      if (measured.has(id)) assert.equal(measured.get(id), usage?.inputTokens);
    }
    const kinds = new Set(parts.map(({ kind }) => kind));
    for (const kind of ['system', 'tools', 'messages', 'calls', 'results'] as const) assert.ok(kinds.has(kind), kind);
  });
});
