import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { attachFile } from '../../src/editor/chat/context/attachedDocuments.ts';
import { attachFolder } from '../../src/editor/chat/context/folder.ts';
import { Guard } from '../../src/editor/chat/guard/guard.ts';
import { CountTokensTool } from '../../src/editor/modelTools/countTokensTool.ts';
import type { Services } from '../../src/editor/services.ts';
import { inSandbox } from './extension.ts';

const NAMES = ['count_tokens', 'key_balance'];

describe('the language model tools', () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
  });

  async function invoke(name: string, input: object): Promise<Record<string, unknown>> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return JSON.parse(part.value) as Record<string, unknown>;
  }

  it('are registered with a description and an input schema', () => {
    const tools = vscode.lm.tools.filter(({ tags }) => tags.includes('model-access'));
    assert.deepEqual(tools.map(({ name }) => name).sort(), NAMES);
    for (const { description, inputSchema } of tools) {
      assert.ok(description.length > 50);
      assert.equal((inputSchema as { type?: string }).type, 'object');
    }
  });

  it('count the tokens of a text like the service and return its price', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    const model = 'familya-haiku-4.5';
    const request = { model, system: [], messages: [{ role: 'user', parts: [{ type: 'text', text }] }] } as const;
    const { tokens } = await services.counter.count(request, new AbortController().signal);
    assert.deepEqual(await invoke('count_tokens', { text, model }), {
      tokens,
      is_estimate: false,
      model,
      context_window: 200_000,
      input_cost_usd: tokens / 1_000_000,
    });
  });

  it('count a workspace file and reject paths outside the workspace and missing input', async () => {
    const { tokens, model } = await invoke('count_tokens', { path: 'src/quote.ts' });
    assert.ok(Number(tokens) > 100);
    assert.equal(model, services.modelUses.modelFor('chat'));
    await assert.rejects(invoke('count_tokens', { path: '../../etc/passwd' }), /not a file in the workspace/);
    await assert.rejects(invoke('count_tokens', {}), /Provide a text, or the path/);
    await assert.rejects(invoke('count_tokens', { text: 5 }), /./);
  });

  describe('with symbolic links', () => {
    let root: string;
    let outside: string;
    const links: string[] = [];

    before(async () => {
      root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('There is no folder.');
      outside = await mkdtemp(join(tmpdir(), 'outside-'));
      await writeFile(join(outside, 'notes.md'), 'What nobody gave to the workspace.');
    });
    after(async () => {
      for (const path of [...links, outside]) await rm(path, { recursive: true, force: true });
    });

    async function link(name: string, target: string): Promise<vscode.Uri> {
      links.push(join(root, name));
      await symlink(target, join(root, name));
      return vscode.Uri.file(join(root, name));
    }

    it('reject links to files and folders outside the workspace', async () => {
      await link('linked.md', join(outside, 'notes.md'));
      await link('linked', outside);
      for (const path of ['linked.md', 'linked/notes.md']) {
        await assert.rejects(invoke('count_tokens', { path }), /not a file in the workspace/);
      }
    });

    it('check the target of a link, like attachments', async () => {
      const secret = join(root, 'secrets.yml');
      links.push(secret);
      await writeFile(secret, 'password: none');
      const guard = new Guard();
      const { finding: inside } = await guard.check(await link('harmless.md', secret));
      assert.match(inside?.reason ?? '', /link to secrets\.yml: files with this name usually contain keys/);
      const { finding: out } = await guard.check(await link('readme.md', join(outside, 'notes.md')));
      assert.match(out?.reason ?? '', /outside the workspace/);
    });

    it('send nothing from a file that was replaced by a link after the check', async () => {
      const secret = join(root, 'credentials.json');
      const path = join(root, 'plan.md');
      links.push(secret, path);
      await writeFile(secret, '{}');
      await writeFile(path, 'What everybody may read.');
      const uri = vscode.Uri.file(path);
      const checked = await new Guard().check(uri);
      assert.equal(checked.finding, undefined);
      const tool = new CountTokensTool(services);
      const input = { path: 'plan.md' };
      await tool.prepareInvocation({ input });
      await rm(path);
      await symlink(secret, path);
      await assert.rejects(attachFile(checked), /no longer the file that was checked/);
      const { token } = new vscode.CancellationTokenSource();
      await assert.rejects(tool.invoke({ input, toolInvocationToken: undefined }, token), /was replaced after/);
      const folder = await new Guard().check(vscode.Uri.file(root));
      assert.doesNotMatch((await attachFolder(folder, new Guard()))?.text ?? '', /=== plan\.md/);
    });
  });

  it('read the balance and mark it as the sandbox’s', async () => {
    const balance = await invoke('key_balance', {});
    assert.equal(balance.currency, 'USD');
    assert.equal(balance.is_sandbox, true);
    assert.ok(Number(balance.remaining) > 0);
  });
});
