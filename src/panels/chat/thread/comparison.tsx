import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../../../display/time.ts';
import type { AnswerTurn, ComparisonTurn } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { costText } from '../answer/costText.ts';
import { requestMs } from '../answer/figures.tsx';
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
            <span class="tab-name">{answer.model}</span>
            <span class="tab-note number">{figuresOf(answer)}</span>
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

/** Price and time, by which answers are compared: `$0.0228 · 12.4 s`. */
function figuresOf({ figures }: AnswerTurn): string {
  const ms = figures && requestMs(figures);
  const parts = [figures && costText(figures), ms === undefined ? undefined : formatDuration(ms)];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function Compared({ answer, selected }: { readonly answer: AnswerTurn; readonly selected: boolean }) {
  const store = useStore();
  const busy = store.busy.value;
  const button = useRef<HTMLButtonElement>(null);
  const takesFocus = store.keepFocus.value && selected;
  useEffect(() => {
    if (!takesFocus) return;
    button.current?.focus();
    store.keepFocus.value = false;
  }, [takesFocus]);
  return (
    <div id={`compared-${answer.id}`} class={`column${selected ? ' selected' : ''}`}>
      <Answer turn={answer} last={false} compared />
      {!isRunning(answer) && (
        <div class="buttons">
          <button
            ref={button}
            type="button"
            class="button"
            aria-disabled={busy}
            title={busy ? l10n.t('Available when all models have answered') : undefined}
            onClick={() => !busy && store.keep(answer.id)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') store.takeFocus();
            }}
          >
            {l10n.t('Keep {0}', answer.model)}
          </button>
        </div>
      )}
    </div>
  );
}
