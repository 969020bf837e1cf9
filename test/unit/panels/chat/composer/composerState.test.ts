import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../../../src/pages/chat/panelMessages.ts';
import type { KeptState, PromptView } from '../../../../../src/pages/chat/protocol.ts';
import { ComposerState } from '../../../../../src/panels/chat/composer/composerState.ts';
import { PanelMemory } from '../../../../../src/panels/chat/panelMemory.ts';
import type { Popover } from '../../../../../src/panels/chat/popover.ts';

const PROMPTS: readonly PromptView[] = ['explain', 'review', 'rename'].map((name) => ({
  id: `id-${name}`,
  name,
  description: '',
  source: 'profile',
  tokens: 20,
}));

/** The surroundings of the text field, which record their calls. */
class Composer {
  readonly popover = signal<Popover | undefined>(undefined);
  readonly posted: ChatPanelMessage[] = [];
  readonly composition: ComposerState;
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
    this.composition = new ComposerState(memory, this);
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
    const choices = ids.map((id) => ({ id, kind: 'file', group: 'paths', label: id }) as const);
    this.composition.receiveContext({ type: 'context', query, choices });
  }
}

describe('the composition of a question', () => {
  it('starts with the draft restored after a reload, and saves each change', () => {
    const composer = new Composer('half');
    assert.equal(composer.composition.draft.value, 'half');
    composer.composition.type('half a question');
    assert.equal(composer.kept.draft, 'half a question');
    assert.deepEqual(composer.posted, [{ type: 'draft', text: 'half a question' }]);
  });

  it('opens the prompt list with a leading slash, and closes it with the first space', () => {
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

  it('cycles through the matching prompts with the arrow keys, and uses the selected one', () => {
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

  it('selects the first prompt again when the text changes', () => {
    const { composition } = new Composer();
    composition.prompts.all.value = PROMPTS;
    composition.type('/re');
    composition.moveChoice(1);
    composition.type('/rev');
    assert.equal(composition.prompts.active.index.value, 0);
  });

  it('handles no keys for a list without matches', () => {
    const { composition, popover } = new Composer();
    composition.prompts.all.value = PROMPTS;
    composition.type('/nothing');
    assert.equal(popover.value, 'prompts');
    assert.equal(composition.choosing, undefined);
    assert.equal(composition.prompts.active.index.value, -1);
  });

  it('replaces the mention with the chosen attachment, and puts the cursor there', () => {
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

  it('moves to either end of a list, and keeps the selection when items are inserted before it', () => {
    const composer = new Composer();
    const { composition } = composer;
    composition.type('@ses');
    composer.offer('ses', 'one', 'two', 'three');
    composition.moveChoice('last');
    assert.equal(composition.context.chosen?.id, 'three');
    composition.moveChoice('first');
    assert.equal(composition.context.chosen?.id, 'one');
    composer.offer('ses', 'symbol', 'one', 'two', 'three');
    assert.equal(composition.context.chosen?.id, 'one');
  });

  it('attaches the first item once it is known if Enter came first, and none from an older list', () => {
    const composer = new Composer();
    const { composition, popover, posted } = composer;
    composition.type('@old');
    composer.offer('old', 'stale');
    composition.type('');
    composition.type('@');
    assert.equal(composition.choosing, 'context');
    composition.useChoice();
    assert.equal(
      posted.some(({ type }) => type === 'attach'),
      false,
    );
    composer.offer('', 'current', 'other');
    assert.deepEqual(posted.at(-1), { type: 'attach', choiceId: 'current' });
    assert.deepEqual([composition.draft.value, popover.value], ['', undefined]);
  });

  it('keeps an address in the text until its page was read', () => {
    const { composition, popover, posted } = new Composer();
    const choice = { id: 'address:a', kind: 'address', group: 'more', label: 'a', isFetched: true } as const;
    const page = { label: 'a', title: '', tokens: 5, start: 'words' };
    composition.type('see @https://a/b', 16);
    composition.receiveContext({ type: 'context', query: 'https://a/b', choices: [choice] });
    composition.useChoice();
    assert.deepEqual(posted.at(-1), { type: 'attach', choiceId: 'address:a' });
    assert.deepEqual([composition.draft.value, popover.value], ['see @https://a/b', undefined]);
    composition.attachedPage('address:a', page);
    assert.deepEqual([composition.draft.value, popover.value], ['see ', 'page']);
    composition.type('see it');
    assert.equal(popover.value, undefined);
  });

  it('removes the @ that the button inserted when the list is closed, but not a typed one', () => {
    const { composition, popover } = new Composer('look at');
    composition.mention();
    assert.deepEqual([composition.draft.value, popover.value], ['look at @', 'context']);
    composition.closeChoices();
    assert.deepEqual([composition.draft.value.trimEnd(), popover.value], ['look at', undefined]);
    composition.type('look at @');
    composition.closeChoices();
    assert.deepEqual([composition.draft.value, popover.value], ['look at @', undefined]);
  });

  it('closes the context list when the cursor leaves the mention', () => {
    const { composition, popover } = new Composer();
    composition.type('@ses');
    assert.equal(popover.value, 'context');
    composition.type('@ses and');
    assert.equal(popover.value, undefined);
  });
});
