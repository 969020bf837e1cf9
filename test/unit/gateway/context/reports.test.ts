import assert from 'node:assert/strict';
import { contextText } from '../../../../packages/gateway/src/cli/context/contextCommand.ts';
import { ContextMeter } from '../../../../src/gateway/context/contextMeter.ts';
import { Tokenizer } from '../../../../src/gateway/counting/tokenizer.ts';
import { billedContext } from '../../../../src/ledger/contextCost.ts';
import type { BilledPart } from '../../../../src/rules/contextPart.ts';

const tokenizer = new Tokenizer();
const PROSE = 'The rules of this project are short, and every change has a test. ';

/** Public reports about what fills contexts; `test/field/README.md` lists them. */
describe('a context as users of other products have reported it', () => {
  const partsOf = (body: object, inputTokens = 100_000): readonly BilledPart[] => {
    const meter = new ContextMeter((text) => tokenizer.count(text));
    const model = 'claude-sonnet-5';
    const context = meter.measure({ model, lane: 'a', body: Buffer.from(JSON.stringify({ model, ...body })) });
    assert.ok(context);
    return billedContext(context, { inputTokens, outputTokens: 1 }, undefined).parts;
  };
  const tool = (name: string, words: number) => ({
    name,
    description: PROSE.repeat(words),
    input_schema: { type: 'object', properties: {} },
  });
  const ask = { messages: [{ role: 'user', content: 'Hello' }] };

  it('has a figure of its own for each tool, and counts the prompt that the vendor adds once', () => {
    const tools = [1, 4, 16].map((words) => tool(`mcp__docs__tool${words}`, words));
    const parts = partsOf({ tools, ...ask });
    const sizes = parts.filter(({ kind }) => kind === 'tools').map(({ tokens }) => tokens);
    assert.ok((sizes[1] ?? 0) > 2 * (sizes[0] ?? 0) && (sizes[2] ?? 0) > 2 * (sizes[1] ?? 0), sizes.join());
    assert.equal(parts.filter(({ kind, name }) => kind === 'other' && name === 'tool use prompt').length, 1);
  });

  it('counts definitions as definitions and never as messages', () => {
    const parts = partsOf({
      tools: Array.from({ length: 200 }, (_, index) => tool(`mcp__docs__tool${index}`, 8)),
      ...ask,
    });
    const messages = parts.find(({ kind }) => kind === 'messages')?.tokens ?? 0;
    assert.ok(messages < 500, `${messages} tokens of messages`);
    assert.ok(parts.every(({ kind, server }) => kind !== 'tools' || server === 'docs'));
  });

  it('counts a list of skills in a message once, and not as part of the message', () => {
    const skills = ['release', 'pdf-forms', 'review'].map(
      (name) => `<skill>\n<name>${name}</name>\n<description>${PROSE.repeat(3)}</description>\n</skill>\n`,
    );
    const content = [
      { type: 'text', text: `<system-reminder>\n${skills.join('')}</system-reminder>` },
      { type: 'text', text: 'Hello' },
    ];
    const parts = partsOf({ messages: [{ role: 'user', content }] }, 200);
    assert.deepEqual(
      parts.filter(({ kind }) => kind === 'instructions').map(({ name }) => name),
      ['skill release', 'skill pdf-forms', 'skill review'],
    );
    assert.equal(
      parts.reduce((sum, { tokens }) => sum + tokens, 0),
      200,
    );
    assert.ok((parts.find(({ kind }) => kind === 'messages')?.tokens ?? 0) < 60);
  });

  it('prints the sums of two hundred tools without a line for each', () => {
    const parts = Array.from({ length: 200 }, (_, nth) => {
      const name = `mcp__plugin_microsoft-docs_microsoft-learn__microsoft_code_sample_search_${nth}`;
      return { kind: 'tools' as const, name, server: 'docs', tokens: 10, requests: 3, cost: 0.01, calls: 0 };
    });
    const report = { session: null, requests: 3, input_tokens: 2000, input_cost: 2, parts, findings: [] };
    const lines = contextText(report).split('\n');
    assert.equal(lines.length, 33);
    assert.match(lines.at(-1) ?? '', /^171 further parts +1,710 {2,}\$1\.71$/);
    assert.match(lines[3] ?? '', /microsoft_code_sample_search_0 {2,}10 {2,}3 {2,}0 {2,}\$0\.01/);
  });

  it('recognizes a file that was read twice, also by commands that print it', () => {
    const text = PROSE.repeat(40);
    const call = (id: string, name: string, input: object) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
    ];
    const commands = ['cat verify.sh', 'sed -n 1,80p verify.sh'];
    const messages = commands.flatMap((command, index) => call(`t${index}`, 'Bash', { command }));
    const repeated = partsOf({ messages: [...ask.messages, ...messages] }).filter(({ isRepeated }) => isRepeated);
    assert.deepEqual(
      repeated.map(({ kind, name }) => [kind, name]),
      [['results', 'Bash']],
    );
  });

  it('recognizes a file with instructions in the system prompt and in a message', () => {
    const file = `Contents of /project/AGENTS.md:\n\n${PROSE.repeat(40)}`;
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: file },
          { type: 'text', text: 'Hello' },
        ],
      },
    ];
    const parts = partsOf({ system: [{ type: 'text', text: file }], messages });
    const instructions = parts.filter(({ kind }) => kind === 'instructions');
    assert.deepEqual(
      instructions.map(({ name, isRepeated = false }) => [name, isRepeated]),
      [
        ['AGENTS.md', false],
        ['AGENTS.md', true],
      ],
    );
  });

  it('separates what the upstream keeps from what the request contains', () => {
    const meter = new ContextMeter((text) => tokenizer.count(text));
    const body = { model: 'gpt-5.5', previous_response_id: 'resp_1', input: 'Go on.' };
    const context = meter.measure({ model: 'gpt-5.5', lane: 'a', body: Buffer.from(JSON.stringify(body)) });
    assert.ok(context);
    const { parts } = billedContext(context, { inputTokens: 50_000, outputTokens: 1 }, undefined);
    const tokens = Object.fromEntries(parts.map((part) => [part.kind, part.tokens]));
    assert.ok((tokens.messages ?? 0) < 20);
    assert.equal((tokens.messages ?? 0) + (tokens.stored ?? 0), 50_000);
  });
});
