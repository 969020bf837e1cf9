import assert from 'node:assert/strict';
import { readConversation } from '../support/modelServer/askedConversation.ts';
import type { Answer, AskedRequest } from '../support/modelServer/modelServer.ts';
import { type Asked, VENDORS, type Vendor, vendorAnswer } from '../support/vendors.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { needCodex, runCodex } from './support/codex.ts';
import { prepareTask, type Task } from './support/task.ts';
import { toolCall } from './support/toolUse.ts';

/** Writes both files with calls in parallel, runs the check, and reports its result. */
function working(vendor: Vendor, { steps }: Task): (request: AskedRequest) => Answer | undefined {
  return (request) => {
    if (request.format === undefined) return undefined;
    const { calls, results, tools } = readConversation(request);
    const next = calls.length === 0 ? steps.slice(0, 2) : steps.slice(calls.length, calls.length + 1);
    const uses = next.map((step, nth) => ({ id: `call_number_${calls.length + nth}`, ...toolCall(step, tools) }));
    const text = `It says: ${results.at(-1)?.text ?? 'nothing'}`;
    return vendorAnswer(vendor, request.body as Asked, uses.length > 0 ? { calls: uses } : { text });
  };
}

describe('Codex on a server of chat completions that is like that of a vendor', () => {
  const program = needCodex();
  afterEach(closeAll);

  for (const vendor of VENDORS) {
    it(`completes a task on ${vendor.name}`, async () => {
      const task = await prepareTask();
      closeLater(() => task.remove());
      const { port } = await startRouter([{ formats: ['chat-completions'], script: working(vendor, task) }]);
      const { folder, prompt } = task;
      const run = await runCodex(program(), { port, key: LOCAL_KEY, model: 'unknown-model', folder, prompt });
      assert.equal(run.code, 0, run.output);
      assert.ok(run.answer.includes(task.password), run.output);
    });
  }
});
