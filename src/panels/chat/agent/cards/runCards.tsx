import * as l10n from '@vscode/l10n';
import type { InstructionsWarning, RunQuestion, RunView } from '../../../../pages/chat/protocol.ts';
import { useStore } from '../../storeContext.ts';
import { RestoreLink, RestoreQuestion } from '../restore.tsx';
import { ApprovalCard } from './approvalCard.tsx';
import { CapCard } from './capCard.tsx';
import { Card } from './card.tsx';
import { ContinueButton } from './continueButton.tsx';
import { FormCard } from './formCard.tsx';
import { LoopCard } from './loopCard.tsx';

/** What a run asks or reports, below its steps. */
export function RunCards({ run }: { readonly run: RunView }) {
  return (
    <>
      {run.warning !== undefined && <WarningCard warning={run.warning} />}
      {run.question !== undefined && <QuestionCard question={run.question} />}
      {run.loop !== undefined && run.state === 'stopped' && <LoopCard run={run} loop={run.loop} />}
      {run.loop === undefined && run.state === 'stopped' && <StoppedCard run={run} />}
      {run.state === 'interrupted' && <InterruptedCard run={run} />}
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
          <button type="button" class="link" onClick={() => store.post({ type: 'openFile', path: source })}>
            {l10n.t('Show in File')}
          </button>
        </p>
      )}
    </Card>
  );
}

/** After the user has stopped the run, or has chosen not to raise a limit. */
function StoppedCard({ run }: { readonly run: RunView }) {
  return (
    <div class="run-ended">
      <ContinueButton text={l10n.t('Continue')} isPrimary={false} />
      <RestoreLink run={run.id} />
    </div>
  );
}

function InterruptedCard({ run }: { readonly run: RunView }) {
  return (
    <Card icon="debug-disconnect" title={l10n.t('The run was interrupted')} role="group">
      <p class="card-text">
        {l10n.t(
          'The window was closed at step {0}. Nothing has been charged since, and no command runs twice.',
          run.step,
        )}
      </p>
      <div class="buttons">
        <ContinueButton text={l10n.t('Continue')} isPrimary />
      </div>
      <p>
        <RestoreLink run={run.id} />
      </p>
    </Card>
  );
}
