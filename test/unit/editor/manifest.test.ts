import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../../../scripts/lib/paths.ts';

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string() })),
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

  it('assigns no key to two commands at the same time', () => {
    const keys = contributes.keybindings.map(({ key, when }) => `${key} ${when}`);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('has a walkthrough of five steps, each with alt text and a completion event', () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.deepEqual(others, []);
    const steps = walkthrough?.steps.filter(({ when }) => when !== 'false') ?? [];
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['connect', 'ask', 'cost', 'tools', 'nativeChat'],
    );
    for (const { id, media, completionEvents } of steps) {
      assert.match(media.altText, /^%walkthrough\.\w+\.picture%$/);
      assert.ok(completionEvents.length > 0, id);
    }
  });
});
