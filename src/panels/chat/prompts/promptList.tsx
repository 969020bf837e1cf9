import * as l10n from '@vscode/l10n';
import { useLayoutEffect } from 'preact/hooks';
import type { PromptView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { PopoverBox } from '../composer/popoverBox.tsx';
import { useStore } from '../storeContext.ts';
import { promptRowId } from './promptMatches.ts';

const SOURCES: Readonly<Record<Exclude<PromptView['source'], 'profile'>, () => string>> = {
  workspace: () => l10n.t('workspace'),
  repository: () => '.github/prompts',
  builtIn: () => l10n.t('built-in'),
};

/** The prompts that match the text after the slash. The focus stays in the composer. */
export function PromptList() {
  const store = useStore();
  const { prompts } = store.composition;
  const matches = prompts.matches.value;
  const active = prompts.active.value;
  useLayoutEffect(() => {
    const row = matches[active];
    if (row !== undefined) document.getElementById(promptRowId(row))?.scrollIntoView({ block: 'nearest' });
  }, [matches, active]);
  return (
    <PopoverBox name="prompts" class="list-popover prompts">
      <div id="prompt-list" role="listbox" aria-label={l10n.t('Prompts')} class="prompt-list">
        {matches.map((prompt, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the composer takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the composer has the focus
          <div
            key={prompt.id}
            id={promptRowId(prompt)}
            role="option"
            class={`row prompt-row${index === active ? ' active' : ''}`}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => store.composition.usePrompt(prompt)}
          >
            <span class="row-name">
              {`/${prompt.name}`}
              <span class="row-note">{prompt.description}</span>
            </span>
            {prompt.source !== 'profile' && <span class="row-note from-280">{SOURCES[prompt.source]()}</span>}
          </div>
        ))}
      </div>
      {matches.length === 0 && (
        <p class="list-note">
          {prompts.all.value.length === 0 ? l10n.t('No prompts yet.') : l10n.t('No prompts match.')}
        </p>
      )}
      <div class="list-footer">
        <button type="button" class="link" onClick={() => store.post({ type: 'newPrompt' })}>
          <Icon name="add" size={14} />
          {l10n.t('New prompt')}
        </button>
      </div>
    </PopoverBox>
  );
}
