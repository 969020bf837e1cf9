import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { eventually } from '../support/eventually.ts';
import type { ScriptedModel } from '../support/scriptedModel.ts';
import { activated } from './extension.ts';

const SKILL = '.agents/skills/greet-people/SKILL.md';
const AGENT = '.github/agents/looker.agent.md';

describe('skills and agents of the workspace', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let model: ScriptedModel;
  let root: vscode.Uri;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    model = connection.model;
    root = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    await write(
      SKILL,
      '---\nname: greet-people\ndescription: Greets people. Use when: somebody arrives.\n---\nSay hello twice.',
    );
    await write('.agents/skills/greet-people/scripts/greet.js', 'console.log("hello");\n');
    await write(AGENT, '---\nname: looker\ndescription: Only looks\ntools: [read, vscodeAPI]\n---\nChange nothing.');
    await eventually('the files', async () => {
      const { set } = await services.session.customizations.ready();
      return set.skills.length === 1 && set.agents.length === 1;
    });
  });
  after(async () => {
    await services.session.chooseMode('ask');
    await connection.close();
    for (const path of ['.agents', '.github/agents']) await vscode.workspace.fs.delete(at(path), { recursive: true });
  });
  beforeEach(() => services.session.startNew());
  afterEach(() => services.session.stop());

  const at = (path: string) => vscode.Uri.joinPath(root, path);
  const write = (path: string, text: string) => vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
  const sent = () => model.requests.map((request) => JSON.stringify(request));

  it('are read by the model when it asks for them, and their scripts ask as commands of the skill', async () => {
    await services.session.chooseMode('agent');
    model.follow([
      { calls: [['use_skill', { name: 'greet-people' }]] },
      { calls: [['run_command', { command: 'node .agents/skills/greet-people/scripts/greet.js' }]] },
      { text: 'Done.' },
    ]);
    const asked = services.session.turns.send('Somebody arrives');
    await eventually('the question', async () => services.session.runs.view?.question !== undefined);
    const { question } = services.session.runs.view ?? {};
    assert.ok(question?.type === 'approval');
    assert.equal(question.skill, 'greet-people');
    await services.session.runs.receive({ type: 'decide', question: question.number, choice: 'deny' });
    await asked;
    const [first = '', second = ''] = sent();
    assert.match(first, /<name>greet-people<\/name>/);
    assert.doesNotMatch(first, /Say hello twice/);
    assert.match(second, /Say hello twice.*scripts\/greet\.js/);
  });

  it('are attached when the person uses them with a slash', async () => {
    const prompts = await services.prompts.get();
    await prompts.receive({ type: 'usePrompt', promptId: 'skill:greet-people' });
    const [attached] = services.session.state.attachments;
    assert.deepEqual([attached?.kind, attached?.label], ['skill', 'greet-people']);
    model.follow([{ text: 'Hello, hello.' }]);
    await services.session.turns.send('Ann arrives');
    assert.match(sent().at(-1) ?? '', /Say hello twice/);
  });

  it('have only the tools that the file of the agent names', async () => {
    await services.session.chooseMode('agent', 'looker');
    assert.equal(services.session.state.agent, 'looker');
    model.follow([{ calls: [['create_file', { path: 'never.txt', content: 'x' }]] }, { text: 'I may not.' }]);
    await services.session.turns.send('Write a file');
    const [first = '', second = ''] = sent();
    assert.match(first, /Change nothing\./);
    assert.doesNotMatch(first, /"name":"create_file"/);
    assert.match(second, /There is no tool create_file/);
    await assert.rejects(async () => vscode.workspace.fs.stat(at('never.txt')));
    const [problem] = vscode.languages.getDiagnostics(at(AGENT));
    assert.match(problem?.message ?? '', /no tool “vscodeAPI”/);
  });

  it('cannot run if the file of the agent is gone', async () => {
    await services.session.chooseMode('agent', 'nobody');
    await assert.rejects(services.session.turns.send('Go'), /There is no agent “nobody”/);
    await services.session.chooseMode('agent');
  });
});
