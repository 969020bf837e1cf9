import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import type { ChatRequest } from '../../src/formats/conversation.ts';
import type { ApprovalQuestion, HelperView, RunView } from '../../src/pages/chat/protocol.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { eventually } from '../support/eventually.ts';
import type { ScriptedModel, ScriptedStep } from '../support/scriptedModel.ts';
import { activated } from './extension.ts';

const AGENTS = '.github/agents';

describe('helpers and agents that hand over', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let model: ScriptedModel;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    model = connection.model;
    await writeAgent('looker', 'tools: [read]');
    const handoff = (label: string, more: string) =>
      `  - label: ${label}\n    agent: looker\n    prompt: Look again.${more}`;
    await writeAgent(
      'planner',
      `tools: [read]\nhandoffs:\n${handoff('Look', '')}\n${handoff('Look Now', '\n    send: true')}`,
    );
    await eventually('the agents', async () => (await services.session.customizations.ready()).agents.length === 2);
  });
  after(async () => {
    await services.session.chat.chooseMode('ask');
    await connection.close();
    await vscode.workspace.fs.delete(at(AGENTS), { recursive: true });
  });
  beforeEach(async () => {
    await services.session.startNew();
    await services.session.chat.chooseMode('agent');
  });
  afterEach(() => {
    services.session.chat.stop();
    services.session.chat.composition.compose('');
  });

  function at(path: string): vscode.Uri {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    return vscode.Uri.joinPath(folder?.uri ?? assert.fail('No folder is open.'), path);
  }

  async function writeAgent(name: string, front: string): Promise<void> {
    const text = `---\nname: ${name}\ndescription: Looks\n${front}\n---\nThis is ${name}.`;
    await vscode.workspace.fs.writeFile(at(`${AGENTS}/${name}.agent.md`), new TextEncoder().encode(text));
  }

  const view = (): RunView => services.session.chat.runs.view ?? assert.fail('There is no run.');
  const textIn = (request: ChatRequest | undefined) => JSON.stringify([request?.system, request?.messages]);
  /** The name of the helper that a request is of. That of the run contains all tasks, in its call. */
  const helperOf = (request: ChatRequest) =>
    textIn(request).includes('"run_helpers"') ? undefined : /"Task of (\w+)/.exec(textIn(request))?.[1];
  const requestsOf = (name: string) => model.requests.filter((request) => helperOf(request) === name);

  function helpers(): readonly HelperView[] {
    return services.session.state.turns.flatMap((turn) =>
      turn.role === 'assistant' ? (turn.toolCalls ?? []).flatMap((call) => call.helpers ?? []) : [],
    );
  }
  const states = () => helpers().map(({ name, state }) => `${name} ${state}`);

  async function approval(): Promise<ApprovalQuestion> {
    await eventually('the question', async () => services.session.chat.runs.view?.question !== undefined);
    const { question } = view();
    return question?.type === 'approval' ? question : assert.fail('It asks for something else.');
  }

  /** The run starts helpers of these roles. Each of them takes its own steps, and then reports. */
  function follow(
    roles: Readonly<Record<string, string>>,
    stepOf: (name: string, count: number) => ScriptedStep,
  ): void {
    model.follow(({ request, results }) => {
      const name = helperOf(request);
      if (name !== undefined) return stepOf(name, results.length);
      if (results.length > 0) return { text: 'All is done.' };
      const asked = Object.entries(roles).map(([one, role]) => ({ name: one, task: `Task of ${one}`, role }));
      return { calls: [['run_helpers', { helpers: asked }]] };
    });
  }

  it('have the instructions and tools of the agent file that is their role', async () => {
    follow({ a: 'looker' }, (name) => ({ text: `Report of ${name}.` }));
    await services.session.chat.turns.send('Go');
    const [request] = requestsOf('a');
    assert.match(JSON.stringify(request?.system), /This is looker\./);
    const names = (request?.tools ?? []).map((tool) => tool.name).sort();
    assert.deepEqual(names, ['get_changes', 'get_problems', 'read_file']);
    assert.deepEqual(states(), ['a done']);
    assert.equal(helpers()[0]?.role, 'looker');
    assert.match(textIn(model.requests.at(-1)), /Report of a\./);
  });

  it('that fail leave the others at work, and the run goes on with what they say', async () => {
    follow({ good: 'reader', bad: 'reader' }, (name) => {
      if (name === 'bad') throw new Error('This one fails.');
      return { text: 'Report of good.' };
    });
    await services.session.chat.turns.send('Go');
    assert.deepEqual(states(), ['good done', 'bad failed']);
    assert.equal(view().state, 'done');
    assert.match(textIn(model.requests.at(-1)), /Report of good\..*It did not finish: /);
  });

  const waits = (name: string, count: number): ScriptedStep =>
    count > 0 ? { text: `Report of ${name}.` } : { calls: [['run_command', { command: `echo ${name}` }]] };

  it('end with Stop, whether they work, ask, or wait for their turn', async () => {
    const editors = { a: 'editor', b: 'editor', c: 'editor', d: 'editor' };
    follow(editors, waits);
    const sent = services.session.chat.turns.send('Go');
    assert.match((await approval()).helper ?? '', /^[abc]$/);
    await eventually('three helpers', async () => helpers().filter(({ state }) => state === 'running').length === 3);
    const asked = () => model.requests.length;
    services.session.chat.stop();
    await sent;
    const before = asked();
    assert.equal(view().state, 'stopped');
    assert.deepEqual(states(), ['a stopped', 'b stopped', 'c stopped', 'd stopped']);
    assert.equal(view().question, undefined);
    assert.equal(asked(), before);
    assert.equal(requestsOf('d').length, 0);
  });

  it('go on after the window was closed, and those that have reported do not begin again', async () => {
    follow({ quick: 'reader', slow: 'editor' }, (name, count) =>
      name === 'quick' ? { text: 'Report of quick.' } : waits(name, count),
    );
    const sent = services.session.chat.turns.send('Go');
    await approval();
    await eventually('the quick one', async () => states().includes('quick done'));
    await services.chats.close();
    await sent;
    assert.equal(view().state, 'interrupted');
    const again = services.session.chat.runs.receive({ type: 'continueRun' });
    const question = await approval();
    assert.equal(question.helper, 'slow');
    await services.session.chat.runs.receive({ type: 'decide', question: question.number, choice: 'once' });
    await again;
    assert.equal(view().state, 'done');
    assert.deepEqual(states(), ['quick done', 'slow done']);
    assert.equal(requestsOf('quick').length, 1);
    assert.match(textIn(model.requests.at(-1)), /Report of quick\..*Report of slow\./);
  });

  it('hand over with a prompt that waits for the person, or is sent at once', async () => {
    await services.session.chat.chooseMode('agent', 'planner');
    model.follow([{ text: 'The plan.' }]);
    await services.session.chat.turns.send('Plan it');
    assert.deepEqual(view().handoffs, ['Look', 'Look Now']);
    await services.session.chat.runs.receive({ type: 'handOff', place: 0 });
    const { session } = services;
    assert.deepEqual([session.state.agent, session.chat.composition.draft], ['looker', 'Look again.']);
    assert.equal(model.requests.length, 1);
    await session.chat.chooseMode('agent', 'planner');
    await session.chat.runs.receive({ type: 'handOff', place: 1 });
    await eventually('the second answer', async () => model.requests.length === 2 && view().state === 'done');
    assert.match(textIn(model.requests[1]), /This is looker\..*Look again\./);
  });
});
