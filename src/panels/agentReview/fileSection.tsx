import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type {
  ChangeName,
  DecidedChange,
  OpenChange,
  ReviewBlock,
  ReviewedFile,
} from '../../pages/agentReview/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { IconButton } from '../shared/iconButton.tsx';
import { LineCounts } from '../shared/lineCounts.tsx';
import { CodeLines } from './codeLines.tsx';
import { isSame, useStore } from './store.ts';
import { placeText, wholeText } from './words.ts';

/** From this number of lines on, the host shows no more of a change. */
const MAX_SHOWN = 5000;

const IS_MAC = navigator.userAgent.includes('Mac');
const ACCEPT_KEYS = IS_MAC ? '⌥⏎' : 'Alt+Enter';
const DISCARD_KEYS = IS_MAC ? '⌥⌫' : 'Alt+Backspace';

/** A file with its changes. Its row stays in view while they scroll. */
export function FileSection({ file }: { readonly file: ReviewedFile }) {
  const store = useStore();
  const isCollapsed = store.collapsed.value.has(file.file);
  return (
    <section class="file" aria-label={file.folder === '' ? file.name : `${file.folder}/${file.name}`}>
      <FileRow file={file} isCollapsed={isCollapsed} />
      {!isCollapsed && (
        <div class="blocks">
          {file.blocks.map((block, place) => (
            <Block key={'id' in block ? block.id : `${block.type}-${place}`} file={file} block={block} />
          ))}
        </div>
      )}
    </section>
  );
}

function FileRow({ file, isCollapsed }: { readonly file: ReviewedFile; readonly isCollapsed: boolean }) {
  const store = useStore();
  const open = store.openOf(file.file);
  // The bar counts and decides all changes of a single file.
  const hasOthers = (store.state.value?.files.length ?? 0) > 1;
  const all = file.blocks.filter(({ type }) => type === 'change' || type === 'decided').length;
  return (
    <div class="file-row">
      <button
        type="button"
        class="icon-button"
        aria-expanded={!isCollapsed}
        aria-label={l10n.t('Changes in {0}', file.name)}
        onClick={() => store.toggle(file.file)}
      >
        <Icon name={isCollapsed ? 'chevron-right' : 'chevron-down'} />
      </button>
      <Icon name="file-code" />
      {file.renamedFrom !== undefined && <span class="folder">{`${file.renamedFrom} →`}</span>}
      <FileName file={file} />
      {file.folder !== '' && <span class="folder">{file.folder}</span>}
      {file.added + file.removed > 0 && <LineCounts added={file.added} removed={file.removed} />}
      {file.removes !== undefined && <span class="left">{l10n.t('removes {0}', file.removes.join(', '))}</span>}
      {hasOthers && <span class="left">{l10n.t('{0} of {1} left', open.length, all)}</span>}
      {file.isEdited && <EditedNote />}
      {open.length > 0 && hasOthers && (
        <span class="file-actions">
          <FileButton icon="discard" label={l10n.t('Discard File')} onClick={() => store.decide('discarded', open)} />
          <FileButton icon="check" label={l10n.t('Accept File')} onClick={() => store.decide('accepted', open)} />
        </span>
      )}
    </div>
  );
}

function EditedNote() {
  return (
    <span class="edited-note">
      <Icon name="info" />
      {l10n.t('You edited this file too')}
    </span>
  );
}

function FileName({ file: { file, name, exists, blocks } }: { readonly file: ReviewedFile }) {
  const store = useStore();
  if (!exists) return <h2 class="file-name">{name}</h2>;
  return (
    <h2 class="file-name">
      <button
        type="button"
        title={l10n.t('Open File')}
        onClick={() => store.post({ type: 'openFile', file, line: firstLine(blocks) })}
      >
        {name}
      </button>
    </h2>
  );
}

interface FileButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}

/** A button that is only an icon where its row has no room for words. */
function FileButton({ icon, label, onClick }: FileButtonProps) {
  return (
    <>
      <button type="button" class="button wide" onClick={onClick}>
        {label}
      </button>
      <IconButton class="narrow" icon={icon} label={label} onClick={onClick} />
    </>
  );
}

function Block({ file, block }: { readonly file: ReviewedFile; readonly block: ReviewBlock }) {
  switch (block.type) {
    case 'same':
      return <CodeLines lines={block.lines} file={file.name} />;
    case 'gap':
      return <p class="gap">{l10n.t('{0} unchanged lines', block.lines)}</p>;
    case 'change':
      return <OpenChangeBlock file={file} change={block} />;
    case 'decided':
      return <DecidedLine file={file.file} change={block} />;
  }
}

/** The first changed line that is in the file, counted from 1. */
function firstLine(blocks: readonly ReviewBlock[]): number {
  const lines = blocks.flatMap((block) => (block.type === 'change' ? block.lines : []));
  return lines.find((line) => line.new !== undefined)?.new ?? lines[0]?.old ?? 1;
}

/** A change that was accepted or discarded. */
function DecidedLine({ file, change }: { readonly file: string; readonly change: DecidedChange }) {
  const store = useStore();
  const { id, decision, added, removed } = change;
  const isAccepted = decision === 'accepted';
  return (
    <p class={`decided ${decision}`}>
      <Icon name={isAccepted ? 'check' : 'discard'} />
      <span>{isAccepted ? l10n.t('Accepted') : l10n.t('Discarded')}</span>
      <span class="place">{placeText(change)}</span>
      {added + removed > 0 && <LineCounts added={added} removed={removed} />}
      <span class="space" />
      <LinkButton label={l10n.t('Undo')} onClick={() => store.undo({ file, id })} />
    </p>
  );
}

interface OpenChangeProps {
  readonly file: ReviewedFile;
  readonly change: OpenChange;
}

/** A change that is neither accepted nor discarded. The current one shows its keys. */
function OpenChangeBlock({ file, change }: OpenChangeProps) {
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
      <LinkButton label={l10n.t('Resolve Manually')} onClick={() => store.post({ type: 'placeByHand', ...name })} />
      <LinkButton
        label={isWritten ? l10n.t('Accept') : l10n.t('Discard')}
        onClick={() => store.decide(isWritten ? 'accepted' : 'discarded', [name])}
      />
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
        <LinkButton
          label={l10n.t('Show All')}
          onClick={() => store.post({ type: 'showAll', file: file.file, id: change.id })}
        />
      ) : (
        file.exists && (
          <LinkButton
            label={l10n.t('Open File')}
            onClick={() => store.post({ type: 'openFile', file: file.file, line: 1 })}
          />
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
