import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatSum } from '../../../../display/money.ts';
import type {
  CapQuestion,
  FormQuestion,
  InstructionsWarning,
  RunQuestion,
  RunView,
} from '../../../../pages/chat/protocol.ts';
import { Button, LinkButton } from '../../../shared/button.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { useStore } from '../../storeContext.ts';
import { RestoreLink, RestoreQuestion } from '../restore.tsx';
import { ApprovalCard } from './approvalCard.tsx';
import { Card } from './card.tsx';
import { ContinueButton } from './continueButton.tsx';
import { LoopCard } from './loopCard.tsx';
import { useCardFocus } from './useCardFocus.ts';

const CAP_TITLES: Readonly<Record<CapQuestion['limit'], () => string>> = {
  run: () => l10n.t('The next step would exceed the cap'),
  step: () => l10n.t('The next step would exceed the cap per step'),
  steps: () => l10n.t('The run has used all its steps'),
};

/** What a run asks or reports, below its steps. */
export function RunCards({ run }: { readonly run: RunView }) {
  return (
    <>
      {run.warning !== undefined && <WarningCard warning={run.warning} />}
      {run.question !== undefined && <QuestionCard question={run.question} />}
      {run.loop !== undefined && run.state === 'stopped' && <LoopCard run={run} loop={run.loop} />}
      {run.loop === undefined && run.state === 'stopped' && <StoppedCard run={run} />}
      {run.state === 'interrupted' && (
        <EndedCard run={run} icon="debug-disconnect" title={l10n.t('The run was interrupted')}>
          {l10n.t(
            'The window was closed at step {0}. Nothing has been charged since, and no command runs twice.',
            run.step,
          )}
        </EndedCard>
      )}
      {run.restore !== undefined && <RestoreQuestion restore={run.restore} />}
    </>
  );
}

function QuestionCard({ question }: { readonly question: RunQuestion }) {
  switch (question.type) {
    case 'approval':
      return <ApprovalCard key={question.number} question={question} />;
    case 'cap':
      return <CapCard key={`${question.limit} ${question.value}`} question={question} />;
    case 'form':
      return <FormCard key={question.number} question={question} />;
  }
}

/** A text that contains instructions to the model. It is quoted as plain text. */
function WarningCard({ warning: { source, quote, isFile } }: { readonly warning: InstructionsWarning }) {
  const store = useStore();
  return (
    <Card icon="warning" kind="warning" title={l10n.t('{0} contains instructions to the model', source)} role="alert">
      <p class="card-text">{l10n.t('They are treated as text. Your approvals have not changed.')}</p>
      <blockquote class="quote" dir="auto">
        {l10n.t('“{0}”', quote)}
      </blockquote>
      {isFile && (
        <p>
          <LinkButton label={l10n.t('Show in File')} onClick={() => store.post({ type: 'openFile', path: source })} />
        </p>
      )}
    </Card>
  );
}

/** After the user has stopped the run, has chosen not to raise a limit, or has switched the sandbox. */
function StoppedCard({ run }: { readonly run: RunView }) {
  if (run.sandbox === 'on') {
    return (
      <EndedCard run={run} icon="beaker" title={l10n.t('Stopped: the sandbox was switched on')}>
        {l10n.t('The next step would be a sample.')}
      </EndedCard>
    );
  }
  if (run.sandbox === 'off') {
    return (
      <EndedCard run={run} icon="beaker" title={l10n.t('Stopped: the sandbox was switched off')}>
        {l10n.t('The next step would cost money.')}
      </EndedCard>
    );
  }
  return (
    <div class="run-ended">
      <ContinueButton text={l10n.t('Continue')} isPrimary={false} />
      <RestoreLink run={run.id} />
    </div>
  );
}

interface EndedCardProps {
  readonly run: RunView;
  readonly icon: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Why a run has ended that nobody has stopped. */
function EndedCard({ run, icon, title, children }: EndedCardProps) {
  return (
    <Card icon={icon} title={title} role="group">
      <p class="card-text">{children}</p>
      <div class="buttons">
        <ContinueButton text={l10n.t('Continue')} isPrimary />
      </div>
      <p>
        <RestoreLink run={run.id} />
      </p>
    </Card>
  );
}

/** A question of the model, with answers to choose from and a field for another one. */
function FormCard({ question }: { readonly question: FormQuestion }) {
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
          class="text-box"
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

/** Asks before the step that would exceed a limit. Nothing is charged until the user chooses. */
function CapCard({ question }: { readonly question: CapQuestion }) {
  const store = useStore();
  const { limit, value, raises, openItems } = question;
  const [by, setBy] = useState(raises[0] ?? 0);
  const raise = (amount: number) => {
    store.post({ type: 'raiseCap', by: amount });
    store.takeFocus();
  };
  return (
    <Card icon="credit-card" kind="warning" title={CAP_TITLES[limit]()} role="alert">
      <p class="card-text">{`${openItemsText(openItems)}${l10n.t('Nothing more is charged until you choose.')}`}</p>
      <fieldset class="raises">
        <legend>{l10n.t('Raise by')}</legend>
        <span class="segments number">
          {raises.map((amount) => (
            <label key={amount} class={amount === by ? 'segment chosen' : 'segment'}>
              <input
                type="radio"
                name="raise"
                class="hidden-text"
                checked={amount === by}
                onChange={() => setBy(amount)}
              />
              {limit === 'steps' ? amount : formatSum(amount)}
            </label>
          ))}
        </span>
      </fieldset>
      <div class="buttons">
        <Button primary label={raiseText(limit, value + by)} onClick={() => raise(by)} />
        <Button label={l10n.t('Stop Here')} onClick={() => raise(0)} />
      </div>
    </Card>
  );
}

function openItemsText(count: number): string {
  if (count === 0) return '';
  const text = count === 1 ? l10n.t('1 plan item is left.') : l10n.t('{0} plan items are left.', count);
  return `${text} `;
}

function raiseText(limit: CapQuestion['limit'], value: number): string {
  return limit === 'steps' ? l10n.t('Raise to {0} Steps', value) : l10n.t('Raise to {0}', formatSum(value));
}
