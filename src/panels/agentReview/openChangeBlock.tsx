import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OpenChange, ReviewedFile } from '../../editor/agent/review/protocol.ts';
import { CodeLines } from './codeLines.tsx';
import { isSame, useStore } from './store.ts';
import { wholeText } from './words.ts';

const IS_MAC = navigator.userAgent.includes('Mac');
const ACCEPT_KEYS = IS_MAC ? '⌥⏎' : 'Alt+Enter';
const DISCARD_KEYS = IS_MAC ? '⌥⌫' : 'Alt+Backspace';

interface OpenChangeProps {
  readonly file: ReviewedFile;
  readonly change: OpenChange;
}

/** A change that is neither accepted nor discarded. The current one shows its keys. */
export function OpenChangeBlock({ file, change }: OpenChangeProps) {
  const store = useStore();
  const name = { file: file.file, id: change.id };
  const isCurrent = isSame(name, store.current.value);
  const number = store.changes.value.findIndex((one) => isSame(one, name)) + 1;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isCurrent && store.takeFocus()) element.current?.focus();
  }, [isCurrent, store.moves.value]);
  const isWhole = change.lines.length === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={element}
      class={isCurrent ? 'change current' : 'change'}
      role="group"
      tabIndex={-1}
      aria-label={l10n.t('Change {0} of {1}', number, store.changes.value.length)}
      aria-current={isCurrent}
      onFocusCapture={() => store.choose(name)}
    >
      {isWhole ? (
        <p class="whole">{wholeText(file.change)}</p>
      ) : (
        <div class="change-buttons">
          <ChangeButton label={l10n.t('Accept')} keys={ACCEPT_KEYS} onClick={() => store.decide('accepted', [name])} />
          <ChangeButton
            label={l10n.t('Discard')}
            keys={DISCARD_KEYS}
            onClick={() => store.decide('discarded', [name])}
          />
        </div>
      )}
      <CodeLines lines={change.lines} />
      {change.hidden > 0 && <p class="gap">{l10n.t('{0} more changed lines', change.hidden)}</p>}
    </div>
  );
}

interface ChangeButtonProps {
  readonly label: string;
  readonly keys: string;
  readonly onClick: () => void;
}

function ChangeButton({ label, keys, onClick }: ChangeButtonProps) {
  return (
    <button type="button" class="change-button" title={`${label} (${keys})`} onClick={onClick}>
      {label}
      <span class="keys" aria-hidden="true">
        {keys}
      </span>
    </button>
  );
}
