import assert from 'node:assert/strict';
import type { Message, Tool, ToolCallPart } from '../../../../../src/formats/conversation.ts';
import { answerOf, formatNames, quickSandbox, textOf } from './ask.ts';

const TOOLS: readonly Tool[] = ['find_files', 'read_file', 'edit_file', 'run_command', 'update_plan'].map((name) => ({
  name,
  parameters: { type: 'object' },
}));

const RESULTS: Readonly<Record<string, string>> = {
  find_files: 'src/parcel.ts\nsrc/quote.ts',
  read_file: 'export function quote() {}',
  edit_file: 'Edited.',
  update_plan: 'Updated.',
};

describe('the sandbox’s task for the agent', () => {
  for (const format of formatNames) {
    it(`completes its plan if the tests pass: ${format}`, async () => {
      const { calls, report } = await perform(format, 'Exit code 0.');
      assert.deepEqual(
        calls.map(({ name }) => name),
        [
          'update_plan',
          'find_files',
          'read_file',
          'read_file',
          'update_plan',
          'edit_file',
          'update_plan',
          'run_command',
          'update_plan',
        ],
      );
      const { items } = JSON.parse(calls.at(-1)?.arguments ?? '');
      assert.deepEqual(
        items.map(({ state }: { state: string }) => state),
        ['done', 'done', 'done'],
      );
      assert.match(report, /The tests pass\.$/);
    });

    it(`reports tests that fail: ${format}`, async () => {
      const { calls, report } = await perform(format, 'Exit code 1.');
      assert.equal(calls.at(-1)?.name, 'run_command');
      assert.match(report, /did not pass or was not allowed/);
    });
  }
});

/** Runs the task to its report, with results for its calls. */
async function perform(format: (typeof formatNames)[number], ofCommand: string) {
  const sandbox = quickSandbox();
  const since: Message[] = [];
  const calls: ToolCallPart[] = [];
  for (;;) {
    const answer = await answerOf(sandbox, {
      format,
      text: 'Reject empty parcels',
      request: { tools: TOOLS, messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }, ...since] },
    });
    const asked = answer.parts.filter((part) => part.type === 'toolCall');
    if (asked.length === 0) return { calls, report: textOf(answer) };
    calls.push(...asked);
    const results = asked.map(({ id, name }) => ({
      type: 'toolResult' as const,
      toolCallId: id,
      content: [{ type: 'text' as const, text: RESULTS[name] ?? ofCommand }],
    }));
    since.push({ role: 'assistant', parts: answer.parts }, { role: 'tool', parts: results });
  }
}
