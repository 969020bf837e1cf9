import * as l10n from '@vscode/l10n';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

/** The model that answers, above its answer or the steps of its run. */
export function AnswerHead({ turn }: { readonly turn: AnswerTurn }) {
  const { figures } = turn;
  return (
    <div class="answer-head">
      <bdi class="model-name" title={turn.model}>
        {turn.model}
      </bdi>
      {figures?.answeredBy !== undefined && (
        <span class="answered-by">{l10n.t('answered by {0}', figures.answeredBy)}</span>
      )}
      {turn.sandbox && <SandboxTag />}
    </div>
  );
}

/** Marks an answer of the sandbox, unless the panel's head already says that everything is a sample. */
function SandboxTag() {
  if (useStore().state.value?.connection === 'sandbox') return null;
  return (
    <span class="tag" title={l10n.t('Answered by the sandbox, for sample money')}>
      <Icon name="beaker" size={14} />
      {l10n.t('Sandbox')}
    </span>
  );
}
