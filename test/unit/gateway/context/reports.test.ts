import assert from 'node:assert/strict';
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
    assert.equal(parts.filter(({ kind, name }) => kind === 'other' && name === 'tools').length, 1);
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
