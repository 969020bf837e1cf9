import assert from 'node:assert/strict';
import { OWN_TOOLS } from '../../../../src/agent/customizations/agentChecks.ts';
import { readAgentFile } from '../../../../src/agent/customizations/agentFile.ts';
import { readSkillFile } from '../../../../src/agent/customizations/skillFile.ts';
import type { HelperRole } from '../../../../src/agent/helperRoles.ts';
import type { RunCommands } from '../../../../src/editor/agent/commandProcesses.ts';
import type { RunSetup } from '../../../../src/editor/agent/runSetup.ts';
import { type RunToolbox, requestWithTools, type Toolbox, toolboxOf } from '../../../../src/editor/agent/toolbox.ts';
import type { FolderOfSkill } from '../../../../src/editor/chat/customizations/skillText.ts';
import type { ChatRequest, Message } from '../../../../src/formats/conversation.ts';
import { estimateTokens } from '../../../../src/tokens/estimate.ts';
import { lm, Uri } from '../../../support/editorApi/vscode.ts';

const ROLE: Omit<HelperRole, 'has'> = { name: 'looker', description: '', instructions: 'Look.', models: [] };
const NOT_RUN = () => assert.fail('It was run.');
const FOUND = { isUsers: false, tokens: 10, problems: [], isOff: false };

function skill(name: string): FolderOfSkill {
  const file = readSkillFile(
    `---\nname: ${name}\ndescription: Does ${name}.\n---\nSteps of ${name}.`,
    `${name}/SKILL.md`,
  );
  const folder = new Uri('memory', `/workspace/.agents/skills/${name}`) as unknown as FolderOfSkill['folder'];
  return {
    ...FOUND,
    ...{ path: `.agents/skills/${name}/SKILL.md`, skill: file, folder },
    ...{ folderPath: `.agents/skills/${name}`, realFolder: folder.path },
  };
}

function toolbox(setup: Partial<RunSetup> = {}): RunToolbox {
  const commands = { shellName: 'bash' } as unknown as RunCommands;
  const helpers = { models: () => [], model: () => 'm', run: NOT_RUN };
  const services = { commands, helpers, checkpoint: NOT_RUN, isReviewedFirst: () => false, setPlan: NOT_RUN };
  const found = { instructions: [], skills: [], agents: [] };
  return toolboxOf(services, { skills: [], chosen: [], maxToolTokens: 4000, instructions: undefined, found, ...setup });
}

const agent = (front: string): Pick<RunSetup, 'agent'> => ({
  agent: { ...FOUND, path: 'a.agent.md', agent: readAgentFile(`---\n${front}\n---\nReview only.`, 'a.agent.md') },
});
const names = ({ definitions }: Toolbox) => definitions.map(({ name }) => name).sort();

/** As the tools of an MCP server are described. */
const LONG = `Does one thing with a repository.\n${'It returns what it has found, and takes the names of columns. '.repeat(8)}`;

function useTools(count: number): readonly string[] {
  const all = Array.from({ length: count }, (_, index) => `mcp_server_tool_${index}`);
  lm.use(Object.fromEntries(all.map((name) => [name, async (input: object) => JSON.stringify(input)])));
  const inputSchema = { type: 'object', properties: { query: { type: 'string', description: 'What to look for.' } } };
  lm.tools = all.map((name) => ({ name, description: LONG, inputSchema }));
  return all;
}

async function result({ tools }: Toolbox, name: string, args: object): Promise<string> {
  const prepared = await (tools.get(name) ?? assert.fail(`There is no ${name}.`)).prepare(args);
  const { signal } = new AbortController();
  return (await prepared.run({ signal, place: { step: '', call: '' }, report: NOT_RUN, ask: NOT_RUN })).text;
}

describe('the tools of a run', () => {
  afterEach(() => lm.use({}));

  it('are those that a prompt names, instead of those of its agent', () => {
    const limited = toolbox({ ...agent('tools: [edit]'), tools: ['read_file', 'Grep', 'nothing'] });
    assert.deepEqual(names(limited), ['read_file', 'search_text']);
    assert.deepEqual(names(toolbox({ tools: [] })), []);
  });

  it('are those that files of agents can name', () => {
    assert.deepEqual(names(toolbox({ skills: [skill('pdf')] })), [...OWN_TOOLS].sort());
  });

  it('are only those that the file of an agent allows, and its text is the last of the prompts', () => {
    const box = toolbox({ ...agent("tools: ['read', 'Grep']"), skills: [skill('pdf')] });
    assert.deepEqual(names(box), ['get_changes', 'get_problems', 'read_file', 'search_text', 'use_skill']);
    assert.equal(box.tools.get('edit_file'), undefined);
    assert.match(box.prompts.at(-1) ?? '', /agent “a”.*Review only\./s);
    assert.deepEqual(names(toolbox(agent('tools: [vscodeAPI]'))), []);
    assert.equal(names(toolbox(agent('disallowedTools: Bash, Write'))).includes('run_command'), false);
  });

  it('do not include a tool of another extension that the file of an agent does not name', async () => {
    const chosen = useTools(2);
    const box = toolbox({ ...agent('tools: [read, mcp__server__tool_1]'), chosen });
    assert.deepEqual(
      names(box).filter((name) => name.startsWith('mcp')),
      ['mcp_server_tool_1'],
    );
  });

  it('name skills in the prompt, and return their text when they are asked for', async () => {
    const box = toolbox({ skills: [skill('pdf'), skill('release')] });
    assert.match(box.prompts.join('\n'), /<name>release<\/name>\n<description>Does release\.<\/description>/);
    assert.equal(box.prompts.join('\n').includes('Steps of'), false);
    await assert.rejects(result(box, 'use_skill', { name: 'nothing' }), /The skills are: pdf, release\./);
  });

  it('of other extensions are loaded on demand above a number of tokens, and each request begins in the same way', async () => {
    const chosen = useTools(60);
    const all = toolbox({ chosen, maxToolTokens: Number.POSITIVE_INFINITY });
    const box = toolbox({ chosen });
    const loaded = await result(box, 'load_tools', { names: ['mcp_server_tool_7', 'mcp_server_tool_8'] });
    assert.deepEqual(
      loaded.split('\n').map((line) => JSON.parse(line).name),
      ['mcp_server_tool_7', 'mcp_server_tool_8'],
    );
    const { tools } = box;
    const call = await tools.get('call_tool')?.prepare({ name: 'mcp_server_tool_7', arguments: { query: 'a' } });
    assert.deepEqual(call?.action, { kind: 'tool', object: 'mcp_server_tool_7' });
    assert.deepEqual([call?.need?.kind, call?.need?.subject], ['tool', 'mcp_server_tool_7']);
    await assert.rejects(result(box, 'load_tools', { names: ['edit_file'] }), /There is no tool edit_file/);
    await assert.rejects(result(box, 'call_tool', { name: 'run_command', arguments: {} }), /There is no tool/);

    const before = tokensOfRun(all, 20);
    const after = tokensOfRun(box, 20, loaded);
    const [first, last] = [after.prefixes[0], after.prefixes.at(-1)];
    assert.equal(first, last);
    const ratio = after.tokens / before.tokens;
    assert.ok(ratio < 0.35, `${after.tokens} of ${before.tokens} tokens: ${ratio.toFixed(2)}`);
  });

  it('of other extensions reach a helper whose role allows them, on demand only if they are long together', async () => {
    const chosen = useTools(60);
    const box = toolbox({ chosen, skills: [skill('pdf')] });
    const one = box.forHelper({
      ...ROLE,
      has: (name) => ['read_file', 'use_skill', 'mcp_server_tool_7'].includes(name),
    });
    assert.deepEqual(names(one), ['mcp_server_tool_7', 'read_file', 'use_skill']);
    assert.match(one.prompts.join('\n'), /<name>pdf<\/name>/);
    assert.equal(one.prompts.at(-1), 'Look.');
    const editor = box.forHelper({ ...ROLE, has: () => true });
    assert.ok(names(editor).includes('load_tools') && !names(editor).includes('mcp_server_tool_7'));
    assert.match(editor.prompts.join('\n'), /- mcp_server_tool_59: /);
    const reader = box.forHelper({ ...ROLE, has: (name) => name === 'read_file' });
    assert.deepEqual([names(reader), reader.tools.get('mcp_server_tool_7')], [['read_file'], undefined]);
  });

  it('of other extensions are sent if they are few', () => {
    const chosen = useTools(3);
    assert.equal(names(toolbox({ chosen })).includes('load_tools'), false);
    assert.equal(names(toolbox({ chosen })).filter((name) => chosen.includes(name)).length, 3);
  });
});

/** The tokens of all requests of a run, without what files and commands return. */
function tokensOfRun(
  box: Toolbox,
  steps: number,
  loaded = '',
): { readonly tokens: number; readonly prefixes: readonly string[] } {
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: `Find the issue.\n${loaded}` }] }];
  const prefixes: string[] = [];
  let tokens = 0;
  for (let step = 0; step < steps; step += 1) {
    const request: ChatRequest = { model: 'm', system: [], messages, stream: true };
    const sent = requestWithTools(request, box, 100);
    prefixes.push(JSON.stringify([sent.tools, sent.system]));
    tokens += estimateTokens(JSON.stringify([sent.tools, sent.system, sent.messages]));
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: `Step ${step}.` }] });
  }
  return { tokens, prefixes };
}
