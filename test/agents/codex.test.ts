import assert from 'node:assert/strict';
import type { FormatName } from '../../src/formats/conversation.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { type CodexRun, codexProgram, runCodex } from './support/codex.ts';
import { CodingModel } from './support/codingModel.ts';
import { prepareTask, type Task } from './support/task.ts';

/** What Codex does depends on the name of the model. */
const MODELS = [
  { model: 'unknown-model', tools: 'flat functions and a namespace', writesBy: 'command_execution' },
  { model: 'gpt-5.5', tools: 'a free-form tool with a grammar', writesBy: 'file_change' },
  { model: 'gpt-6-sol', tools: 'namespaces that come as an item of the input', writesBy: 'command_execution' },
];
const UPSTREAMS = ['chat-completions', 'messages'] satisfies FormatName[];

describe('Codex through the gateway', () => {
  let program: string;
  let task: Task;
  before(function () {
    const found = codexProgram();
    if (found === undefined) this.skip();
    program = found;
  });
  beforeEach(async () => {
    task = await prepareTask();
    closeLater(() => task.remove());
  });
  afterEach(closeAll);

  async function work(model: string, upstream: FormatName) {
    const mind = new CodingModel(task.steps);
    const gateway = await startRouter([{ formats: [upstream], script: mind.script }]);
    const run = await runCodex(program, { port: gateway.port, key: LOCAL_KEY, model, ...task });
    return { ...gateway, run, mind };
  }

  function assertDone(run: CodexRun, mind: CodingModel): void {
    assert.deepEqual(mind.complaints, [], 'the upstream had nothing to complain of');
    assert.equal(run.code, 0, run.output);
    assert.ok(run.answer.includes(task.password), run.output);
  }

  for (const upstream of UPSTREAMS) {
    for (const { model, tools, writesBy } of MODELS) {
      it(`does a task on ${upstream} as "${model}", with ${tools}`, async () => {
        const { run, mind } = await work(model, upstream);
        assertDone(run, mind);
        assert.ok(run.done.includes(writesBy), run.output);
        assert.deepEqual(run.reached, [], 'nothing but the gateway was called');
      });
    }
  }

  it('does a task on responses, passed through', async () => {
    const { run, mind } = await work('unknown-model', 'responses');
    assertDone(run, mind);
  });
});
