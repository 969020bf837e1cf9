import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Guard } from '../../src/editor/chat/context/guard.ts';
import type { Services } from '../../src/editor/services.ts';
import { inSandbox } from './extension.ts';

const NAMES = ['count_tokens', 'key_balance'];

describe('the tools for models', () => {
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

  it('are offered with a description and a schema of their input', () => {
    const tools = vscode.lm.tools.filter(({ tags }) => tags.includes('model-access'));
    assert.deepEqual(tools.map(({ name }) => name).sort(), NAMES);
    for (const { description, inputSchema } of tools) {
      assert.ok(description.length > 50);
      assert.equal((inputSchema as { type?: string }).type, 'object');
    }
  });

  it('count a text as the service does, with its price', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    const model = 'familya-haiku-4.5';
    const request = { model, system: [], messages: [{ role: 'user', parts: [{ type: 'text', text }] }] } as const;
    const { tokens } = await services.counter.count(request, AbortSignal.timeout(10_000));
    assert.deepEqual(await invoke('count_tokens', { text, model }), {
      tokens,
      is_estimate: false,
      model,
      context_window: 200_000,
      input_cost_usd: tokens / 1_000_000,
    });
  });

  it('count a file of the workspace, and refuse what is outside of it or is nothing', async () => {
    const { tokens, model } = await invoke('count_tokens', { path: 'src/quote.ts' });
    assert.ok(Number(tokens) > 100);
    assert.equal(model, services.modelUses.modelFor('chat'));
    await assert.rejects(invoke('count_tokens', { path: '../../etc/passwd' }), /not a file in the workspace/);
    await assert.rejects(invoke('count_tokens', {}), /Provide a text, or the path/);
    await assert.rejects(invoke('count_tokens', { text: 5 }), /./);
  });

  describe('that are asked for links', () => {
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

    it('refuse those that lead out of the workspace, as files and as folders', async () => {
      await link('linked.md', join(outside, 'notes.md'));
      await link('linked', outside);
      for (const path of ['linked.md', 'linked/notes.md']) {
        await assert.rejects(invoke('count_tokens', { path }), /not a file in the workspace/);
      }
    });

    it('judge the file that a link leads to, as attachments do', async () => {
      const secret = join(root, 'secrets.yml');
      links.push(secret);
      await writeFile(secret, 'password: none');
      const guard = new Guard();
      const inside = await guard.findingOf(await link('harmless.md', secret));
      assert.match(inside?.reason ?? '', /link to secrets\.yml: files with this name usually contain keys/);
      const out = await guard.findingOf(await link('readme.md', join(outside, 'notes.md')));
      assert.match(out?.reason ?? '', /outside the workspace/);
    });
  });

  it('read the balance, and say that it is the sandbox’s', async () => {
    const balance = await invoke('key_balance', {});
    assert.equal(balance.currency, 'USD');
    assert.equal(balance.is_sandbox, true);
    assert.ok(Number(balance.remaining) > 0);
  });
});
