import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { FormQuestion } from '../../../../pages/chat/protocol.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useStore } from '../../storeContext.ts';
import { Card } from './card.tsx';
import { useCardFocus } from './useCardFocus.ts';

/** A question of the model, with answers to choose from and a field for another one. */
export function FormCard({ question }: { readonly question: FormQuestion }) {
  const store = useStore();
  const { number, text, options } = question;
  const [chosen, setChosen] = useState<string>();
  const [written, setWritten] = useState('');
  const first = useCardFocus<HTMLInputElement>(number, `${l10n.t('The model has a question')}: ${text}`);
  const answer = written.trim() === '' ? (chosen ?? '') : written.trim();
  const send = (event: Event) => {
    event.preventDefault();
    if (answer === '') return;
    store.post({ type: 'answerForm', question: number, text: answer });
    store.takeFocus();
  };
  return (
    <Card icon="question" title={l10n.t('The model has a question')} role="alertdialog">
      <form class="model-form" aria-label={l10n.t('Answer to the model')} onSubmit={send}>
        <Markdown source={text} complete />
        {options.map((option, index) => (
          <label key={option} class="form-option">
            <input
              ref={index === 0 ? first : null}
              type="radio"
              name={`answer-${number}`}
              checked={written.trim() === '' && option === chosen}
              onChange={() => {
                setChosen(option);
                setWritten('');
              }}
            />
            <span dir="auto">{option}</span>
          </label>
        ))}
        <input
          ref={options.length === 0 ? first : null}
          type="text"
          dir="auto"
          aria-label={l10n.t('Other answer')}
          placeholder={options.length === 0 ? l10n.t('Your answer') : l10n.t('Other answer')}
          value={written}
          onInput={({ currentTarget }) => setWritten(currentTarget.value)}
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={answer === ''}>
            {l10n.t('Send Answer')}
          </button>
        </div>
      </form>
    </Card>
  );
}
