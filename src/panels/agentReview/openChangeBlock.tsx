import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChangeName, OpenChange, ReviewedFile } from '../../pages/agentReview/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { CodeLines } from './codeLines.tsx';
import { isSame, useStore } from './store.ts';
import { wholeText } from './words.ts';

/** From this number of lines on, the host shows no more of a change. */
const MAX_SHOWN = 5000;

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
  const isWhole = file.change !== 'edited';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys choose it with the focus
    <div
      ref={element}
      class={isCurrent ? 'change current' : 'change'}
      role="group"
      tabIndex={-1}
      aria-label={l10n.t('Change {0} of {1}', number, store.changes.value.length)}
      aria-current={isCurrent}
      // Between the press and the release of the mouse, the page must not change under it.
      onFocusCapture={({ target }) => {
        if (target instanceof Element && target.matches(':focus-visible')) store.choose(name);
      }}
      onClick={() => store.choose(name)}
    >
      {isWhole ? (
        <p class="whole">{wholeText(file.change)}</p>
      ) : change.isEdited ? (
        <ConflictButtons name={name} />
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
      {isWhole && change.isEdited && <ConflictButtons name={name} />}
      <CodeLines lines={change.lines} file={file.name} />
      {change.hidden > 0 && <HiddenLines file={file} change={change} />}
    </div>
  );
}

/**
 * The change is still shown, but discarding what a run has written, or accepting what is proposed, would also discard
 * the user's own lines.
 */
function ConflictButtons({ name }: { readonly name: ChangeName }) {
  const store = useStore();
  const isWritten = store.state.value?.startedAt !== undefined;
  return (
    <p class="conflict">
      <Icon name="warning" />
      <span>
        {isWritten
          ? l10n.t('You edited these lines, so the change cannot be discarded.')
          : l10n.t('You edited these lines, so the change cannot be accepted.')}
      </span>
      <button type="button" class="link" onClick={() => store.post({ type: 'placeByHand', ...name })}>
        {l10n.t('Resolve Manually')}
      </button>
      <button type="button" class="link" onClick={() => store.decide(isWritten ? 'accepted' : 'discarded', [name])}>
        {isWritten ? l10n.t('Accept') : l10n.t('Discard')}
      </button>
    </p>
  );
}

/** How many lines are not shown. Very long changes are better read in an editor. */
function HiddenLines({ file, change }: OpenChangeProps) {
  const store = useStore();
  const isShowable = change.lines.length < MAX_SHOWN;
  return (
    <p class="gap">
      {l10n.t('{0} more changed lines', change.hidden)}{' '}
      {isShowable ? (
        <button
          type="button"
          class="link"
          onClick={() => store.post({ type: 'showAll', file: file.file, id: change.id })}
        >
          {l10n.t('Show All')}
        </button>
      ) : (
        file.exists && (
          <button type="button" class="link" onClick={() => store.post({ type: 'openFile', file: file.file, line: 1 })}>
            {l10n.t('Open File')}
          </button>
        )
      )}
    </p>
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
