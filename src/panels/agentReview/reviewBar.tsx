import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import type { ReviewedFile, ReviewState } from '../../pages/agentReview/protocol.ts';
import { IconButton } from '../shared/iconButton.tsx';
import { LineCounts } from '../shared/lineCounts.tsx';
import { isSame, useStore } from './store.ts';
import { leftText } from './words.ts';

/** The number of changes to review, what their answers or their run have cost, and the buttons that decide on all of them. */
export function ReviewBar({ state }: { readonly state: ReviewState }) {
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
          <button type="button" class="button" onClick={() => store.decide('discarded', open.value)}>
            {l10n.t('Discard All')}
          </button>
          <button type="button" class="button primary" onClick={() => store.decide('accepted', open.value)}>
            {l10n.t('Accept All')}
          </button>
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
