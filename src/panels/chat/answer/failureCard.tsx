import * as l10n from '@vscode/l10n';
import type { ChatState, FailureAction, FailureView } from '../../../pages/chat/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { Note } from '../../shared/note.tsx';
import { useStore } from '../storeContext.ts';

const LABELS: Readonly<Record<FailureAction, () => string>> = {
  retry: () => l10n.t('Retry'),
  continue: () => l10n.t('Continue'),
  setKey: () => l10n.t('Set Service Key'),
  addCredit: () => l10n.t('Add credit'),
  openDashboard: () => l10n.t('Open Dashboard'),
  askAdministrator: () => l10n.t('Copy Request for Administrator'),
  chooseModel: () => l10n.t('Use another model'),
  newConversation: () => l10n.t('New chat'),
  trySandbox: () => l10n.t('Try the Sandbox'),
  openSettings: () => l10n.t('Open settings'),
  openLog: () => l10n.t('Open log'),
};

/** The sandbox has no dashboard, and without a connection nothing can be asked. */
function isPossible(step: FailureAction, connection: ChatState['connection']): boolean {
  if (step === 'addCredit' || step === 'openDashboard') return connection === 'hosted';
  return connection !== 'none' || !ASKS.has(step);
}

const ASKS: ReadonlySet<FailureAction> = new Set(['retry', 'continue', 'chooseModel']);

interface FailureCardProps {
  readonly turnId: string;
  readonly failure: FailureView;
  /** Next steps are only shown at the end of the conversation. */
  readonly withSteps: boolean;
}

export function FailureCard({ turnId, failure, withSteps }: FailureCardProps) {
  const store = useStore();
  const connection = store.state.value?.connection ?? 'none';
  const steps = failure.steps.filter((step) => isPossible(step, connection));
  const label = (step: FailureAction) =>
    step === 'chooseModel' && failure.kind === 'credit' ? l10n.t('Use a cheaper model') : LABELS[step]();
  return (
    <Note kind="error" role="alert">
      <h2 class="card-title">{failure.title}</h2>
      <p class="card-text">{failure.detail}</p>
      {withSteps && steps.length > 0 && (
        <div class="buttons">
          {steps.map((step, index) => (
            <Button key={step} primary={index === 0} label={label(step)} onClick={() => store.takeStep(step, turnId)} />
          ))}
        </div>
      )}
    </Note>
  );
}
