import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), enablement: z.optional(z.string()) })),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
    menus: z.record(z.string(), z.array(z.object({ command: z.optional(z.string()), when: z.optional(z.string()) }))),
    keybindings: z.array(z.object({ command: z.string(), key: z.string(), mac: z.string(), when: z.string() })),
    walkthroughs: z.array(
      z.object({
        steps: z.array(
          z.object({
            id: z.string(),
            when: z.optional(z.string()),
            media: z.object({ altText: z.string() }),
            completionEvents: z.array(z.string()),
          }),
        ),
      }),
    ),
  }),
});

/** A person looks through the list. What nobody would look for there belongs to a page, a menu, or a row. */
const MAX_COMMANDS_IN_PALETTE = 40;

/** A window in which as much as possible is ready. */
const READY = {
  'config.modelAccess.gateway.editorModels': true,
  editorIsOpen: true,
  gitOpenRepositoryCount: 1,
  'modelAccess.connection': 'hosted',
  'modelAccess.gateway': 'running',
  'modelAccess.isInTeam': true,
} as const;

/** Evaluates a `when` clause of the forms that the manifest uses for commands. */
function holds(clause: string, context: Readonly<Record<string, unknown>>): boolean {
  const term = (text: string) => {
    const [, not, name = '', operator, wanted = ''] = /^(!?)([\w.]+)(?:\s*(==|!=)\s*(\S+))?$/.exec(text.trim()) ?? [];
    assert.ok(name !== '', `This test cannot read “${text}”.`);
    if (operator !== undefined) return (String(context[name]) === wanted) === (operator === '==');
    return (name !== 'false' && Boolean(context[name])) === (not === '');
  };
  return clause.split('||').some((part) => part.split('&&').every(term));
}

describe('the extension manifest', () => {
  const { contributes } = z.parse(Manifest, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const commands = contributes.commands.map(({ command }) => command);

  it('has a when clause for each key binding, and leaves terminal keys to the shell', () => {
    assert.ok(contributes.keybindings.length >= 5);
    for (const { command, when } of contributes.keybindings) {
      assert.ok(commands.includes(command), command);
      assert.match(when, /\b(?:editor(?:Text)?Focus|focusedView ==)|^!terminalFocus$/, command);
    }
  });

  it('lists few commands in the palette at once', () => {
    // The editor adds a command that focuses each view.
    const views = Object.values(contributes.views).flat();
    const whenOf = new Map(contributes.menus.commandPalette?.map(({ command, when }) => [command, when]));
    for (const connection of ['hosted', 'sandbox']) {
      const context = { ...READY, 'modelAccess.connection': connection };
      const listed = contributes.commands.filter(({ command, enablement = '' }) =>
        [whenOf.get(command) ?? '', enablement].every((clause) => clause === '' || holds(clause, context)),
      );
      const count = listed.length + views.length;
      const message = `The palette lists ${count} commands. Hide one with "when": "false", or move it to a page.`;
      assert.ok(count <= MAX_COMMANDS_IN_PALETTE, message);
    }
  });

  it('names each tool in the command that disconnects the tool of its row', () => {
    const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8'));
    for (const { id, name } of TOOLS) {
      const command = `modelAccess.disconnectTool.${id}`;
      const title = contributes.commands.find((one) => one.command === command)?.title ?? '';
      assert.equal(texts[title.slice(1, -1)], `Disconnect ${name}`);
      const items = contributes.menus['view/item/context']?.filter((item) => item.command === command) ?? [];
      const kinds = items.map(({ when = '' }) => new RegExp(/viewItem =~ \/(.+)\//.exec(when)?.[1] ?? '-'));
      for (const kind of ['tool', 'staleTool']) {
        assert.deepEqual([kinds.length, kinds.every((one) => one.test(`${kind}.${id}`))], [1, true], id);
      }
    }
  });

  it('assigns no key to two commands at the same time', () => {
    const keys = contributes.keybindings.map(({ key, when }) => `${key} ${when}`);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('has a walkthrough of seven steps, each with alt text and a completion event', () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.deepEqual(others, []);
    const steps = walkthrough?.steps.filter(({ when }) => when !== 'false') ?? [];
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['connect', 'ask', 'cost', 'agent', 'suggestions', 'tools', 'nativeChat'],
    );
    for (const { id, media, completionEvents } of steps) {
      assert.match(media.altText, /^%walkthrough\.\w+\.picture%$/);
      assert.ok(completionEvents.length > 0, id);
    }
  });
});
