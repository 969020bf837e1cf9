import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { FailureCard } from '../answer/failureCard.tsx';
import { LiveLine } from '../answer/figures.tsx';
import { RetryCard } from '../answer/retryCard.tsx';
import { useFold } from '../answer/useFold.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { useStore } from '../storeContext.ts';
import type { SummaryItem } from './runs.ts';
import { StepFigures } from './stepFigures.tsx';
import { useFocusAfter } from './useFocusAfter.ts';

interface SummaryCardProps {
  readonly item: SummaryItem;
  /** Whether nothing follows it. */
  readonly last: boolean;
}

/** The summary that is sent instead of the steps above, with the model that wrote it. The user may change its text. */
export function SummaryCard({ item: { turn, isSent }, last }: SummaryCardProps) {
  const store = useStore();
  const [editing, setEditing] = useState(false);
  const [closed, toggle] = useFold(`summary closed ${turn.id}`);
  const card = useFocusAfter(editing);
  const running = isRunning(turn);
  const finish = (text?: string) => {
    if (text !== undefined) store.post({ type: 'editSummary', turnId: turn.id, text });
    setEditing(false);
  };
  return (
    <article
      class="turn run"
      data-turn={turn.id}
      aria-label={l10n.t('Summary of the steps so far')}
      aria-busy={running}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between turns, Tab enters one
      tabIndex={0}
    >
      <section ref={card} class="plan" aria-label={l10n.t('Summary')}>
        <div class="plan-head">
          <button type="button" class="plan-fold" aria-expanded={!closed} onClick={toggle}>
            <Icon name={closed ? 'chevron-right' : 'chevron-down'} size={12} />
            <span class="plan-title">{l10n.t('Summary')}</span>
            <span class="plan-count summary-model">{modelText(turn)}</span>
          </button>
          {isSent && turn.status === 'complete' && !editing && (
            <IconButton icon="edit" label={l10n.t('Edit Summary')} onClick={() => setEditing(true)} />
          )}
        </div>
        {editing ? <SummaryEditor text={turn.text} onClose={finish} /> : !closed && <SummaryText turn={turn} />}
        {!running && <StepFigures turn={turn} />}
        {running && turn.retry === undefined && <LiveLine turn={turn} />}
      </section>
      {isSent && <p class="card-note">{l10n.t('Sent instead of the steps above.')}</p>}
      {turn.retry !== undefined && <RetryCard turnId={turn.id} retry={turn.retry} />}
      {turn.failure !== undefined && <FailureCard turnId={turn.id} failure={turn.failure} withSteps={last} />}
    </article>
  );
}

function SummaryText({ turn }: { readonly turn: AnswerTurn }) {
  if (turn.text === '') return null;
  return (
    <div class="summary-text">
      <Markdown source={turn.text} complete={!isRunning(turn)} />
    </div>
  );
}

function modelText({ model, isEdited }: AnswerTurn): string {
  return isEdited === true ? l10n.t('{0}, edited', model) : model;
}

interface SummaryEditorProps {
  readonly text: string;
  /** Called with the changed text, or without one if nothing is to be changed. */
  readonly onClose: (text?: string) => void;
}

/** Changes the text of a summary, which is sent from the next step on. */
function SummaryEditor({ text, onClose }: SummaryEditorProps) {
  const [written, setWritten] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const isEmpty = written.trim() === '';
  return (
    <form
      class="summary-editor"
      aria-label={l10n.t('Edit Summary')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onClose(written === text ? undefined : written);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.ctrlKey || event.metaKey || event.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <textarea
        class="text-box"
        ref={field}
        dir="auto"
        rows={8}
        aria-label={l10n.t('Summary text')}
        value={written}
        onInput={({ currentTarget }) => setWritten(currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="button primary" aria-disabled={isEmpty}>
          {l10n.t('Save')}
        </button>
        <Button label={l10n.t('Cancel')} onClick={() => onClose()} />
      </div>
    </form>
  );
}
