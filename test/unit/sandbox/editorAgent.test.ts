import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { starterOf, TASKS } from '../../../src/chat/prompts/starterTexts.ts';
import type { ChatRequest, Message, Tool } from '../../../src/formats/conversation.ts';
import { SAMPLE_CODE } from '../../../src/rules/sampleCode.ts';
import { nextTaskStep } from '../../../src/sandbox/agentTask.ts';
import { answerAboutSample } from '../../../src/sandbox/sampleAnswer.ts';
import { readTurn } from '../../../src/sandbox/turn.ts';

const SAMPLE = join(import.meta.dirname, '../../fixtures/workspace');
const FOLDER = '/project/parcel-desk';
const TOOLS: readonly Tool[] = [
  'file_search',
  'read_file',
  'replace_string_in_file',
  'run_in_terminal',
  'create_file',
].map((name) => ({ name, parameters: { type: 'object' } }));
const FILE = { label: 'quote.ts', path: 'src/quote.ts' };

/** What the editor sends: the question in a tag, after other texts. */
const asked = (question: string): Message => ({
  role: 'user',
  parts: [
    { type: 'text', text: '<environment_info>\nLinux\n</environment_info>' },
    { type: 'text', text: `<context>\n</context>\n<userRequest>\n${question}\n</userRequest>` },
  ],
});

/** Does what the sandbox asks for, as the editor's agent does. */
function perform(question: string) {
  const files = new Map<string, string>();
  const textAt = (path: string) => files.get(path) ?? readFileSync(join(SAMPLE, path.slice(FOLDER.length + 1)), 'utf8');
  const run = (name: string, args: Record<string, string>): string => {
    const { filePath = '', oldString = '', newString = '' } = args;
    if (name === 'file_search')
      return ['src/quote.ts', 'test/quote.test.ts', 'README.md'].map((path) => `${FOLDER}/${path}`).join('\n');
    if (name === 'read_file') return textAt(filePath);
    if (name === 'run_in_terminal') return 'ℹ pass 3\nℹ fail 0';
    assert.equal(textAt(filePath).split(oldString).length, 2, `${oldString} once in ${filePath}`);
    files.set(filePath, textAt(filePath).replace(oldString, newString));
    return 'The file was edited.';
  };
  const messages: Message[] = [asked(question)];
  for (let step = 0; step < 10; step += 1) {
    const request: ChatRequest = { model: 'm', system: [], messages, tools: TOOLS };
    const next = nextTaskStep(request, readTurn(request));
    if (next === undefined || next.calls.length === 0) return { files, report: next?.text };
    const calls = next.calls.map((call, index) => ({ ...call, id: `call_${step}_${index}` }));
    messages.push({
      role: 'assistant',
      parts: calls.map(({ id, tool, arguments: args }) => ({ type: 'toolCall', id, name: tool.name, arguments: args })),
    });
    messages.push({
      role: 'tool',
      parts: calls.map(({ id, tool, arguments: args }) => ({
        type: 'toolResult',
        toolCallId: id,
        content: [{ type: 'text', text: run(tool.name, JSON.parse(args)) }],
      })),
    });
  }
  return assert.fail('It does not end.');
}

describe('the prepared tasks in the editor’s own chat', () => {
  for (const id of TASKS) {
    it(`are done with its tools: ${id}`, () => {
      const { files, report } = perform(starterOf(id, FILE).draft);
      const changed = { fix: 'src/quote.ts', tests: 'test/quote.test.ts', readme: 'README.md' }[id as 'fix'];
      assert.ok(files.has(`${FOLDER}/${changed}`));
      assert.match(report ?? '', /The tests pass\./);
    });
  }

  it('leave other questions to the usual answer', () => {
    assert.equal(perform('What is this?').report, undefined);
  });

  it('have prepared answers about the sample file that the editor has attached', () => {
    const attached = `<attachments>\n<attachment id="quote.ts">\n\`\`\`typescript\n${SAMPLE_CODE}\n\`\`\`\n</attachment>\n</attachments>`;
    const question = starterOf('explain', FILE).draft;
    const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: attached }] }, asked(question)];
    const answer = answerAboutSample({ model: 'm', system: [], messages }, question);
    assert.equal(answer?.isPrepared, true);
    assert.match(answer?.text ?? '', /`src\/quote\.ts` calculates/);
  });
});
