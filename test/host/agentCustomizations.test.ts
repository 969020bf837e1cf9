import assert from 'node:assert/strict';
import { realpath, symlink, unlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CustomizationSet } from '../../src/agent/customizations/found.ts';
import { Customizations } from '../../src/editor/chat/customizations/customizations.ts';
import { folderOfSkill, skillAttachment } from '../../src/editor/chat/customizations/skillText.ts';
import { promptIdOf } from '../../src/editor/chat/prompts/promptActions.ts';
import { PromptLibrary } from '../../src/editor/chat/prompts/promptLibrary.ts';
import type { Services } from '../../src/editor/services.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
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
    await services.session.chat.chooseMode('ask');
    await connection.close();
    for (const path of ['.agents', '.github/agents']) await vscode.workspace.fs.delete(at(path), { recursive: true });
  });
  beforeEach(() => services.session.startNew());
  afterEach(() => services.session.chat.stop());

  const at = (path: string) => vscode.Uri.joinPath(root, path);
  const write = (path: string, text: string) => vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
  const sent = () => model.requests.map((request) => JSON.stringify(request));

  it('are there when they are first reported', async () => {
    const memory = {
      keys: () => [],
      get: <T>(_: string, fallback?: T) => fallback as T,
      update: async () => undefined,
    };
    const found = new Customizations(memory, at('prompts'), services.models, services.log);
    const reported = new Promise<readonly string[] | undefined>((resolve) => {
      found.onDidChange(() => resolve(found.files?.agents.map(({ name }) => name)));
    });
    assert.equal(found.files, undefined);
    assert.deepEqual(await reported, ['looker']);
    found.dispose();
  });

  it('consist of what is in their folder, not of what links in it lead to', async () => {
    const folder = '.agents/skills/greet-people';
    const links = { everything: '/', again: '.' };
    try {
      for (const [name, target] of Object.entries(links)) await symlink(target, at(`${folder}/${name}`).fsPath);
      const attached = await skillAttachment(await services.session.customizations.ready(), 'greet-people');
      const [, files] = attached?.text?.split('the text refers to them:\n') ?? [];
      assert.equal(files, 'scripts/greet.js');
    } finally {
      for (const name of Object.keys(links)) await unlink(at(`${folder}/${name}`).fsPath);
    }
  });

  it('do not include the folder of the file that their text is a link to', async () => {
    await write('.agents/skills/linked/notes.md', 'Notes.');
    await write('shared/texts/SKILL.md', '---\nname: linked\ndescription: Is a link\n---\nBe there.');
    await symlink('../../../shared/texts/SKILL.md', at('.agents/skills/linked/SKILL.md').fsPath);
    try {
      const files = await services.session.customizations.ready();
      await eventually('the skill', async () => {
        await files.settled;
        return files.set.skills.some(({ skill }) => skill.name === 'linked');
      });
      const found = files.set.skills.find(({ skill }) => skill.name === 'linked') ?? assert.fail();
      assert.equal(folderOfSkill(found, files)?.realFolder, await realpath(at('.agents/skills/linked').fsPath));
    } finally {
      await vscode.workspace.fs.delete(at('.agents/skills/linked'), { recursive: true });
      await vscode.workspace.fs.delete(at('shared'), { recursive: true });
    }
  });

  it('are read by the model when it asks for them, and their scripts ask as commands of the skill', async () => {
    await services.session.chat.chooseMode('agent');
    model.follow([
      { calls: [['use_skill', { name: 'greet-people' }]] },
      { calls: [['run_command', { command: 'node .agents/skills/greet-people/scripts/greet.js' }]] },
      { text: 'Done.' },
    ]);
    const asked = services.session.chat.turns.send('Somebody arrives');
    await eventually('the question', async () => services.session.chat.runs.view?.question !== undefined);
    const { question } = services.session.chat.runs.view ?? {};
    assert.ok(question?.type === 'approval');
    assert.equal(question.skill, 'greet-people');
    await services.session.chat.runs.receive({ type: 'decide', question: question.number, choice: 'deny' });
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
    await services.session.chat.turns.send('Ann arrives');
    assert.match(sent().at(-1) ?? '', /Say hello twice/);
  });

  it('have only the tools that the file of the agent names', async () => {
    await services.session.chat.chooseMode('agent', 'looker');
    assert.equal(services.session.state.agent, 'looker');
    model.follow([{ calls: [['create_file', { path: 'never.txt', content: 'x' }]] }, { text: 'I may not.' }]);
    await services.session.chat.turns.send('Write a file');
    const [first = '', second = ''] = sent();
    assert.match(first, /Change nothing\./);
    assert.doesNotMatch(first, /"name":"create_file"/);
    assert.match(second, /There is no tool create_file/);
    await assert.rejects(async () => vscode.workspace.fs.stat(at('never.txt')));
    const [problem] = vscode.languages.getDiagnostics(at(AGENT));
    assert.match(problem?.message ?? '', /no tool “vscodeAPI”/);
  });

  it('of prompts are for the model and with the tools that their file names, for one run', async () => {
    const front = 'agent: agent\nmodel: [Nothing 9 (copilot), Haiku]\ntools: [read_file, Grep, nobody]';
    await write('.github/prompts/look.prompt.md', `---\n${front}\n---\nLook at it.`);
    const prompts = await services.prompts.get();
    await prompts.receive({ type: 'usePrompt', promptId: promptIdOf(at('.github/prompts/look.prompt.md')) });
    const { state, chat } = services.session;
    const { composition } = chat;
    assert.deepEqual([state.model, state.mode, composition.draft], ['familya-haiku-4.5', 'agent', 'Look at it.']);
    assert.deepEqual(
      state.attachments.map(({ kind, label }) => [kind, label]),
      [['tools', 'Only the tools read_file, Grep, nobody']],
    );
    model.follow([{ text: 'Done.' }]);
    const toolsSent = () => (model.requests[0]?.tools ?? []).map(({ name }) => name).sort();
    await services.session.chat.turns.send('Look at it.');
    assert.deepEqual(toolsSent(), ['read_file', 'search_text', 'use_skill']);
    assert.doesNotMatch(JSON.stringify(model.requests[0]?.messages), /nobody/);
    model.follow([{ text: 'Done.' }]);
    await services.session.chat.turns.send('And now?');
    assert.ok(toolsSent().includes('edit_file'));
    await write('.github/prompts/other.prompt.md', '---\nagent: Plan\n---\nPlan it.');
    await prompts.receive({ type: 'usePrompt', promptId: promptIdOf(at('.github/prompts/other.prompt.md')) });
    assert.equal(composition.draft, 'Plan it.');
    await write('.model-access/prompts/other.md', 'Another one of this name.');
    await prompts.receive({ type: 'usePrompt', promptId: promptIdOf(at('.model-access/prompts/other.md')) });
    assert.match(composition.draft, /Another one of this name\./);
    await vscode.workspace.fs.delete(at('.model-access'), { recursive: true });
    await vscode.workspace.fs.delete(at('.github/prompts'), { recursive: true });
  });

  it('are also found in the folders that the editor’s settings name, and not in those that they switch off', async () => {
    await write('shared/agents/other.agent.md', '---\nname: other\ndescription: Is elsewhere\n---\nBe there.');
    await write('shared/skills/wave/SKILL.md', '---\nname: wave\ndescription: Waves\n---\nWave.');
    await write('shared/rules/deep/a.instructions.md', '---\napplyTo: "**"\n---\nShared rule.');
    await write('shared/lures/deep/prompts/cast.prompt.md', 'Cast it.');
    await write('shared/one.prompt.md', 'Only this.');
    await write('shared/two.prompt.md', 'Not this.');
    const settings = vscode.workspace.getConfiguration('chat');
    const target = vscode.ConfigurationTarget.Workspace;
    const values = {
      promptFilesLocations: { 'shared/**/prompts': true, 'shared/one.prompt.md': true, 'shared/nowhere': true },
      agentFilesLocations: { 'shared/agents': true, '.github/agents': false },
      agentSkillsLocations: { './shared/skills/': true },
      instructionsFilesLocations: { 'shared/*/deep': true },
    };
    const found = (isReady: (set: CustomizationSet) => boolean) =>
      eventually('the files', async () => isReady((await services.session.customizations.ready()).set));
    try {
      for (const [name, value] of Object.entries(values)) await settings.update(name, value, target);
      await found(({ agents, skills, instructions }) => {
        const names = [...agents.map(({ agent: { name } }) => name), ...skills.map(({ skill: { name } }) => name)];
        return names.sort().join() === 'greet-people,other,wave' && instructions.length === 1;
      });
      assert.match(services.session.customizations.sent?.text ?? '', /Shared rule/);
      const library = new PromptLibrary(vscode.Uri.file('/nowhere'));
      const prompts = async () => (await library.read()).map(({ prompt }) => prompt.name).join();
      await eventuallyEqual(prompts, 'cast,one');
    } finally {
      for (const name of Object.keys(values)) await settings.update(name, undefined, target);
      await vscode.workspace.fs.delete(at('shared'), { recursive: true });
    }
    await found(({ agents, skills }) => agents.length === 1 && skills.length === 1);
  });

  it('are found once in a folder that links to itself many times', async () => {
    await write('.github/instructions/looped.instructions.md', '---\napplyTo: "**"\n---\nLooped rule.');
    const links = Array.from({ length: 25 }, (_, nth) => at(`.github/instructions/loop${nth}`).fsPath);
    try {
      for (const link of links) await symlink('.', link, 'junction');
      await eventually('the file', async () => {
        const { sent } = await services.session.customizations.ready();
        return sent?.text.match(/Looped rule/g)?.length === 1;
      });
    } finally {
      for (const link of links) await unlink(link);
      await vscode.workspace.fs.delete(at('.github/instructions'), { recursive: true });
    }
  });

  it('cannot run if the file of the agent is gone', async () => {
    await services.session.chat.chooseMode('agent', 'nobody');
    await assert.rejects(services.session.chat.turns.send('Go'), /There is no agent “nobody”/);
    await services.session.chat.chooseMode('agent');
  });
});
