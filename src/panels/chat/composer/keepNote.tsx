import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { shortModelName } from '../../../display/models.ts';
import type { AnswerTurn } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

/**
 * Asks to keep one of the side-by-side answers before the next question, because the chat continues from one answer.
 */
export function KeepNote({ answers }: { readonly answers: readonly AnswerTurn[] }) {
  const store = useStore();
  const buttons = useRef<HTMLDivElement>(null);
  const requests = store.keepRequests.value;
  const seen = useRef(requests);
  useEffect(() => {
    if (requests !== seen.current) buttons.current?.querySelector('button')?.focus();
    seen.current = requests;
  }, [requests]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    store.takeFocus();
  };
  return (
    <div class="card">
      <Icon name="info" />
      <div class="card-body">
        <h2 class="card-title">{l10n.t('Keep one answer to continue')}</h2>
        <p class="card-text">
          {l10n.t('The next question continues from it. The other answers remain available as versions.')}
        </p>
        <div ref={buttons} class="buttons">
          {answers.map((answer) => (
            <button
              key={answer.id}
              type="button"
              class="button"
              title={answer.model}
              onClick={() => store.keep(answer.id)}
              onKeyDown={onKeyDown}
            >
              {l10n.t('Keep {0}', shortModelName(answer.model))}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}
