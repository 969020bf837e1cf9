import * as l10n from '@vscode/l10n';
import { Button } from '../shared/button.tsx';
import './styles/index.css';
import { useEffect, useRef } from 'preact/hooks';
import { formatMoney } from '../../display/money.ts';
import { formatClock } from '../../display/time.ts';
import type { ReviewedFile, ReviewState } from '../../pages/agentReview/protocol.ts';
import type { RestoreView } from '../../pages/chat/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { IconButton } from '../shared/iconButton.tsx';
import { LineCounts } from '../shared/lineCounts.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { RestoreCard } from '../shared/restoreCard.tsx';
import { FileSection } from './fileSection.tsx';
import { isSame, ReviewStore, StoreProvider, useStore } from './store.ts';
import { leftText } from './words.ts';

/** All changes of a run, or of proposals, by file. */
function ReviewPage() {
  const store = useStore();
  const page = useRef<HTMLElement>(null);
  const state = store.state.value;
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressKey(event, store);
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store]);
  useEffect(() => {
    // The button that was pressed is gone with its change.
    if (!store.hasActed || document.activeElement !== document.body) return;
    if (store.current.value === undefined) page.current?.focus();
    else store.focusCurrent();
  }, [state]);
  if (state === undefined) return null;
  return (
    <main ref={page} class="review" tabIndex={-1}>
      {state.files.length === 0 ? (
        <h1 class="empty">{l10n.t('There are no changes to review.')}</h1>
      ) : (
        <>
          <ReviewBar state={state} />
          <div class="files">
            {state.files.map((file) => (
              <FileSection key={file.file} file={file} />
            ))}
          </div>
        </>
      )}
      <Announcement />
      {state.restore !== undefined && <RestoreQuestion restore={state.restore} />}
      {state.files.length > 0 && state.startedAt !== undefined && <ReviewFoot startedAt={state.startedAt} />}
    </main>
  );
}

/** What the user is asked to restore, above the checkpoint's line. */
function RestoreQuestion({ restore }: { readonly restore: RestoreView }) {
  const store = useStore();
  return (
    <div class="restore-place">
      <RestoreCard
        restore={restore}
        onRestore={(choice) => store.post({ type: 'confirmRestore', ...choice })}
        onCancel={() => store.post({ type: 'cancelRestore' })}
      />
    </div>
  );
}

/** Announces what was decided, and how many changes remain. */
function Announcement() {
  const store = useStore();
  const { decision, open, changes } = store;
  const left = leftText(open.value.length, changes.value.length);
  const done = decision.value === 'accepted' ? l10n.t('Accepted') : l10n.t('Discarded');
  return (
    <p class="hidden-text" role="status">
      {decision.value === undefined ? '' : `${done}. ${left}`}
    </p>
  );
}

function pressKey(event: KeyboardEvent, store: ReviewStore): void {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
  const actions: Readonly<Record<string, () => void>> = {
    F5: () => store.move(event.shiftKey ? -1 : 1),
    ...(event.shiftKey || event.repeat
      ? {}
      : { Enter: () => store.decideCurrent('accepted'), Backspace: () => store.decideCurrent('discarded') }),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** The checkpoint of the run, and what restores it. */
function ReviewFoot({ startedAt }: { readonly startedAt: number }) {
  const store = useStore();
  return (
    <footer class="review-foot">
      <Icon name="discard" />
      <span class="checkpoint">{l10n.t('Checkpoint from {0}', formatClock(startedAt))}</span>
      <Button label={l10n.t('Restore to Before This Turn…')} onClick={() => store.post({ type: 'restore' })} />
    </footer>
  );
}

/** The number of changes to review, what their answers or their run have cost, and the buttons that decide on all of them. */
function ReviewBar({ state }: { readonly state: ReviewState }) {
  const { files } = state;
  const store = useStore();
  const { changes, open, current } = store;
  const all = changes.value;
  const position = all.findIndex((change) => isSame(change, current.value)) + 1;
  const isDone = open.value.length === 0;
  const hasButtons = !isDone && !store.hasOneChange.value;
  return (
    <header class="review-bar">
      <h1>{files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length)}</h1>
      <span class="left">{leftText(open.value.length, all.length)}</span>
      {!isDone && <LineCounts added={sum(files, 'added')} removed={sum(files, 'removed')} />}
      <Cost state={state} />
      <span class="space" />
      {hasButtons && all.length > 1 && (
        <span class="position">
          <span class="number">{l10n.t('{0} of {1}', position, all.length)}</span>
          <IconButton
            icon="arrow-up"
            label={l10n.t('Previous Change')}
            shortcut="Shift+Alt+F5"
            onClick={() => store.move(-1)}
          />
          <IconButton icon="arrow-down" label={l10n.t('Next Change')} shortcut="Alt+F5" onClick={() => store.move(1)} />
        </span>
      )}
      {hasButtons && (
        <span class="buttons">
          <Button label={l10n.t('Discard All')} onClick={() => store.decide('discarded', open.value)} />
          <Button primary label={l10n.t('Accept All')} onClick={() => store.decide('accepted', open.value)} />
        </span>
      )}
    </header>
  );
}

function Cost({ state: { cost, isSample, startedAt } }: { readonly state: ReviewState }) {
  if (cost === undefined) return null;
  const title = costTitle(startedAt !== undefined, isSample === true);
  return (
    <span class={isSample ? 'cost number sample' : 'cost number'} title={title}>
      <span class="hidden-text">{`${title}: `}</span>
      {formatMoney(cost)}
    </span>
  );
}

function costTitle(isRun: boolean, isSample: boolean): string {
  if (isRun) return isSample ? l10n.t('Cost of the run, sample money') : l10n.t('Cost of the run');
  return isSample ? l10n.t('Cost of the answer, sample money') : l10n.t('Cost of the answer');
}

function sum(files: readonly ReviewedFile[], count: 'added' | 'removed'): number {
  return files.reduce((all, file) => all + file[count], 0);
}

export const startReview = pageStarter(ReviewStore, StoreProvider, ReviewPage);
