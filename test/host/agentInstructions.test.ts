import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { eventually } from '../support/eventually.ts';
import type { ScriptedModel } from '../support/scriptedModel.ts';
import { activated } from './extension.ts';

type Files = Awaited<ReturnType<Services['session']['customizations']['ready']>>;

const WEB = 'agentWeb/src/page.ts';

describe('instructions of the workspace', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let model: ScriptedModel;
  let root: vscode.Uri;
  const written = new Set<string>();

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    model = connection.model;
    root = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
  });
  after(async () => {
    await services.session.chat.chooseMode('ask');
    await connection.close();
  });
  beforeEach(async () => {
    await write(WEB, 'export const page = 1;\n');
    await services.session.startNew();
  });
  afterEach(async () => {
    services.session.chat.stop();
    for (const path of written) await vscode.workspace.fs.delete(at(path), { recursive: true });
    written.clear();
    await found(({ set }) => set.instructions.length === 0 && set.skills.length === 0);
  });

  const at = (path: string) => vscode.Uri.joinPath(root, path);

  async function write(path: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
    const [top = path] = path.split('/');
    written.add(top === '.github' || top === '.agents' ? path.split('/').slice(0, 2).join('/') : top);
  }

  /** Waits until the files are read as they are now. */
  async function found(isReady: (files: Files) => boolean) {
    await eventually('the files', async () => isReady(await services.session.customizations.ready()));
    return services.session.customizations.ready();
  }

  const systemOf = (request: unknown) => JSON.stringify((request as { system?: unknown }).system);

  it('in a folder apply once a file below is read, after everything that was sent before', async () => {
    await write('AGENTS.md', 'Root rule: be brief.');
    await write('agentWeb/AGENTS.md', 'Web rule: use tabs.');
    await write('.github/instructions/ts.instructions.md', '---\napplyTo: **/*.ts\n---\nTyped rule: no any.');
    await found(({ set }) => set.instructions.length === 3);
    await services.session.chat.chooseMode('agent');
    model.follow([
      { calls: [['read_file', { path: 'README.md' }]] },
      { calls: [['read_file', { path: WEB }]] },
      { calls: [['read_file', { path: WEB, start_line: 1 }]] },
      { text: 'Done.' },
    ]);
    await services.session.chat.turns.send('Look at the page');
    const requests = model.requests.slice(-4);
    const texts = requests.map((request) => JSON.stringify(request));
    assert.deepEqual(
      texts.map((text) => [
        text.includes('Root rule'),
        text.split('Web rule').length - 1,
        text.split('Typed rule').length - 1,
      ]),
      [
        [true, 0, 0],
        [true, 0, 0],
        [true, 1, 1],
        [true, 1, 1],
      ],
    );
    assert.match(systemOf(requests[0]) ?? '', /<instructions file=\\"AGENTS.md\\">\\nRoot rule/);
    assert.equal(new Set(requests.map(systemOf)).size, 1);
  });

  it('apply to an attached file in a chat without the agent, too', async () => {
    await write('agentWeb/AGENTS.md', 'Web rule: use tabs.');
    await found(({ set }) => set.instructions.some(({ path }) => path === 'agentWeb/AGENTS.md'));
    const context = await services.chatContext.get();
    await context.attachUris([at(WEB)]);
    const labels = () => services.session.state.attachments.map(({ kind, label }) => `${kind} ${label}`);
    assert.deepEqual(labels(), ['file page.ts', 'instructions agentWeb/AGENTS.md']);
    model.follow([{ text: 'Yes.' }, { text: 'Still.' }]);
    await services.session.chat.turns.send('Is it right?');
    assert.match(JSON.stringify(model.requests.at(-1)), /Web rule: use tabs/);
    await context.attachUris([at(WEB)]);
    assert.deepEqual(labels(), ['file page.ts']);
    services.session.chat.composition.detach(services.session.state.attachments[0]?.id ?? '');
  });

  it('that say the same are sent once', async () => {
    await write('AGENTS.md', 'Root rule: be brief.');
    await write('CLAUDE.md', '@AGENTS.md\n');
    await vscode.workspace.fs.createDirectory(at('.github'));
    symlinkSync(at('AGENTS.md').fsPath, at('.github/copilot-instructions.md').fsPath);
    written.add('.github/copilot-instructions.md');
    const { set, sent } = await found((files) => files.set.instructions.length === 3);
    assert.deepEqual(
      set.instructions.map(({ path, twin }) => [path, twin]),
      [
        ['AGENTS.md', undefined],
        ['CLAUDE.md', 'AGENTS.md'],
        ['.github/copilot-instructions.md', 'AGENTS.md'],
      ],
    );
    assert.equal(sent?.text.split('Root rule').length, 2);
  });

  it('import files like Claude Code does, each once, and none of this machine', async () => {
    const outside = join(await mkdtemp(join(tmpdir(), 'outside-')), 'secret.md');
    await writeFile(outside, 'Not for models.');
    await write('AGENTS.md', 'Root rule: be brief.');
    await write('agentWeb/rules.md', 'Imported rule: no any. See @more.md and @AGENTS.md');
    await write('agentWeb/more.md', 'Further rule. @rules.md');
    const text = `Claude rule. See @AGENTS.md, @agentWeb/rules.md, @nobody, @gone.md and @${outside}.\n\n\`@README.md\``;
    await write('CLAUDE.md', text);
    // It belongs to the skill.
    await write('.agents/skills/x/AGENTS.md', 'Skill text.');
    try {
      const { set, sent } = await found((files) => files.set.instructions.length === 4);
      assert.deepEqual(
        set.instructions.map(({ path, file }) => [path, file.scope.type]),
        ['AGENTS.md', 'CLAUDE.md', 'agentWeb/rules.md', 'agentWeb/more.md'].map((path) => [path, 'always']),
      );
      const said = ['Root rule', 'Claude rule', 'Imported rule', 'Further rule', 'Not for models'];
      assert.deepEqual(
        said.map((words) => (sent?.text ?? '').split(words).length - 1),
        [1, 1, 1, 1, 0],
      );
      const [gone, secret, ...others] = vscode.languages.getDiagnostics(at('CLAUDE.md'));
      assert.match(gone?.message ?? '', /“gone\.md” is not imported: there is no such file/);
      assert.match(secret?.message ?? '', /secret\.md” is not imported: it is outside the workspace/);
      assert.deepEqual(others, []);
      await (await services.session.customizations.ready()).switch('CLAUDE.md', false);
      await found((files) => files.set.instructions.length === 2);
      await (await services.session.customizations.ready()).switch('CLAUDE.md', true);
    } finally {
      await rm(dirname(outside), { recursive: true });
    }
  });

  it('with front matter that cannot be read are a problem of the editor, and apply to nothing', async () => {
    await write('.github/instructions/bad.instructions.md', '---\nname: Style\napplyTo: ["**"\n---\nBad rule.');
    const { sent } = await found(({ set }) => set.instructions.length === 1);
    assert.equal(sent, undefined);
    const [problem] = vscode.languages.getDiagnostics(at('.github/instructions/bad.instructions.md'));
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Error);
    assert.match(problem?.message ?? '', /front matter is not valid YAML/);
    await vscode.workspace.fs.delete(at('.github/instructions'), { recursive: true });
    written.delete('.github/instructions');
    await eventually(
      'the end of the problem',
      async () => vscode.languages.getDiagnostics(at('.github/instructions/bad.instructions.md')).length === 0,
    );
  });

  it('are found in folders that are created together with them, as Git does', async () => {
    written.add('agentPackages');
    // The editor is always told of the first folder, but of the file in it only most of the time.
    for (let number = 1; number <= 12; number += 1) {
      const { fsPath } = at(`agentPackages/${number}/src/AGENTS.md`);
      mkdirSync(dirname(fsPath), { recursive: true });
      writeFileSync(fsPath, `Rule ${number}.`);
      await found(({ set }) => set.instructions.length === number);
    }
  });

  it('are not sent while they are switched off, or if they contain a key', async () => {
    await write('AGENTS.md', 'Root rule: be brief.');
    const files = await found(({ set }) => set.instructions.length === 1);
    await files.switch('AGENTS.md', false);
    const sent = () => files.sent?.text;
    assert.equal(sent(), undefined);
    await files.switch('AGENTS.md', true);
    assert.match(sent() ?? '', /Root rule/);
    await write('AGENTS.md', `The key is sk-ant-api03-${'a1B2'.repeat(24)}AA.`);
    await found(({ set }) => set.instructions[0]?.problems.length === 1);
    assert.match(vscode.languages.getDiagnostics(at('AGENTS.md'))[0]?.message ?? '', /looks like a key/);
  });
});
