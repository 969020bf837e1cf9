import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { AnswerTurn, ComparisonTurn } from '../../../editor/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { useStore } from '../storeContext.ts';
import { Answer } from './answer.tsx';

/** The answers of several models to one question: columns in a wide panel, tabs in a narrow one. */
export function Comparison({ turn }: { readonly turn: ComparisonTurn }) {
  const [selected, setSelected] = useState(0);
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = (selected + step + turn.answers.length) % turn.answers.length;
    setSelected(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <section class="turn comparison" aria-label={l10n.t('{0} answers side by side', turn.answers.length)}>
      <div class="tabs below-480" role="tablist" aria-label={l10n.t('Models')} onKeyDown={onKeyDown}>
        {turn.answers.map((answer, index) => (
          <button
            key={answer.id}
            type="button"
            role="tab"
            id={`tab-${answer.id}`}
            class="tab"
            aria-selected={index === selected}
            aria-controls={`compared-${answer.id}`}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
          >
            {answer.model}
          </button>
        ))}
      </div>
      <div class="columns">
        {turn.answers.map((answer, index) => (
          <Compared key={answer.id} answer={answer} selected={index === selected} />
        ))}
      </div>
    </section>
  );
}

function Compared({ answer, selected }: { readonly answer: AnswerTurn; readonly selected: boolean }) {
  const store = useStore();
  const busy = store.busy.value;
  return (
    <div id={`compared-${answer.id}`} class={`column${selected ? ' selected' : ''}`}>
      <Answer turn={answer} last={false} compared />
      {!isRunning(answer) && (
        <div class="buttons">
          <button
            type="button"
            class="button"
            aria-disabled={busy}
            title={busy ? l10n.t('Available when all models have answered') : undefined}
            onClick={() => !busy && store.keep(answer.id)}
          >
            {l10n.t('Keep this answer')}
          </button>
        </div>
      )}
    </div>
  );
}
