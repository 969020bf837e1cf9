import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { ChatPanelMessage, KeptState, PromptView } from '../../../../../src/editor/chat/protocol.ts';
import { Composition } from '../../../../../src/panels/chat/composer/composition.ts';
import { PanelMemory } from '../../../../../src/panels/chat/panelMemory.ts';
import type { Popover } from '../../../../../src/panels/chat/popover.ts';

const PROMPTS: readonly PromptView[] = ['explain', 'review', 'rename'].map((name) => ({
  id: `id-${name}`,
  name,
  description: '',
  source: 'profile',
}));

/** The surroundings of the text field, which record their calls. */
class Composer {
  readonly popover = signal<Popover | undefined>(undefined);
  readonly posted: ChatPanelMessage[] = [];
  readonly composition: Composition;
  kept: KeptState;
  focused = 0;

  constructor(draft = '') {
    this.kept = { draft };
    const memory = new PanelMemory({
      kept: () => this.kept,
      keep: (state) => {
        this.kept = state;
      },
    });
    this.composition = new Composition(memory, this);
  }
  post(message: ChatPanelMessage): void {
    this.posted.push(message);
  }
  takeFocus(): void {
    this.focused += 1;
  }
  closePopover(): void {
    this.popover.value = undefined;
    this.takeFocus();
  }
  /** Sends the items that the host has found for the text after the `@`. */
  offer(query: string, ...ids: readonly string[]): void {
    this.composition.context.receive(
      query,
      ids.map((id) => ({ id, kind: 'file', label: id })),
    );
  }
}

describe('the question that is being written', () => {
  it('begins with the draft that outlived the page, and keeps each change of it', () => {
    const composer = new Composer('half');
    assert.equal(composer.composition.draft.value, 'half');
    composer.composition.type('half a question');
    assert.equal(composer.kept.draft, 'half a question');
    assert.deepEqual(composer.posted, [{ type: 'draft', text: 'half a question' }]);
  });

  it('opens the list of prompts with a slash that stands first, and closes it with the first space', () => {
    const { composition, popover, posted } = new Composer();
    composition.type('a/b');
    assert.equal(popover.value, undefined);
    composition.type('/');
    assert.equal(popover.value, 'prompts');
    composition.type('/re');
    assert.equal(posted.filter(({ type }) => type === 'listPrompts').length, 1);
    composition.type('/re x');
    assert.equal(popover.value, undefined);
  });

  it('lets the keys go round the prompts that match, and uses the one they are at', () => {
    const { composition, popover, posted } = new Composer();
    composition.prompts.all.value = PROMPTS;
    composition.type('/re');
    assert.equal(composition.choosing, 'prompts');
    composition.moveChoice(1);
    assert.equal(composition.prompts.chosen?.name, 'rename');
    composition.moveChoice(1);
    assert.equal(composition.prompts.chosen?.name, 'review');
    composition.useChoice();
    assert.deepEqual(posted.at(-1), { type: 'usePrompt', promptId: 'id-review' });
    assert.equal(popover.value, undefined);
  });

  it('puts the keys at the first prompt again when the text changes', () => {
    const { composition } = new Composer();
    composition.prompts.all.value = PROMPTS;
    composition.type('/re');
    composition.moveChoice(1);
    composition.type('/rev');
    assert.equal(composition.prompts.active.value, 0);
  });

  it('takes no keys for a list in which nothing matches', () => {
    const { composition, popover } = new Composer();
    composition.prompts.all.value = PROMPTS;
    composition.type('/nothing');
    assert.equal(popover.value, 'prompts');
    assert.equal(composition.choosing, undefined);
    assert.equal(composition.prompts.active.value, -1);
  });

  it('attaches what was chosen in the place of its mention, with the cursor where that was', () => {
    const composer = new Composer();
    const { composition, popover, posted } = composer;
    composition.type('look at @ses please', 12);
    assert.equal(popover.value, 'context');
    assert.deepEqual(posted.at(-1), { type: 'listContext', query: 'ses' });
    composer.offer('ses', 'one', 'two');
    composition.moveChoice(1);
    composition.useChoice();
    assert.deepEqual(posted.at(-1), { type: 'attach', choiceId: 'two' });
    assert.equal(composition.draft.value.includes('@'), false);
    assert.equal(composition.cursor.value?.at, 8);
    assert.deepEqual([popover.value, composer.focused], [undefined, 1]);
  });

  it('takes away the sign that the button wrote when the list is left, and none that was typed', () => {
    const { composition, popover } = new Composer('look at');
    composition.mention();
    assert.deepEqual([composition.draft.value, popover.value], ['look at @', 'context']);
    composition.closeChoices();
    assert.deepEqual([composition.draft.value.trimEnd(), popover.value], ['look at', undefined]);
    composition.type('look at @');
    composition.closeChoices();
    assert.deepEqual([composition.draft.value, popover.value], ['look at @', undefined]);
  });

  it('closes the list of what can be attached when the cursor leaves the mention', () => {
    const { composition, popover } = new Composer();
    composition.type('@ses');
    assert.equal(popover.value, 'context');
    composition.type('@ses and');
    assert.equal(popover.value, undefined);
  });
});
