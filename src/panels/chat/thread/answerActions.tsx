import * as l10n from '@vscode/l10n';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { ActionMenu } from '../../shared/actionMenu.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { agentParts } from '../agent/lateParts.ts';
import { applyMessagesOf, hasCodeForFiles } from '../markdown/codeApplying.ts';
import { CopyButton } from '../markdown/copyButton.tsx';
import { useStore } from '../storeContext.ts';

export function AnswerActions({ turn, last }: { readonly turn: AnswerTurn; readonly last: boolean }) {
  const store = useStore();
  const words = [turn.text, turn.refusal ?? ''].filter((part) => part !== '').join('\n\n');
  const busy = store.busy.value;
  const endedEarly = turn.status === 'stopped' || turn.status === 'cut' || turn.status === 'failed';
  return (
    <div class="answer-actions">
      {words !== '' && <CopyButton text={words} label={l10n.t('Copy answer')} />}
      {hasCodeForFiles(turn.text) && (
        <IconButton
          icon="git-pull-request-go-to-changes"
          label={l10n.t('Apply to files')}
          onClick={() => {
            for (const message of applyMessagesOf(turn.text)) store.post(message);
          }}
        />
      )}
      {store.isConnected.value && !(last && endedEarly) && (
        <IconButton
          icon="refresh"
          label={l10n.t('Retry')}
          disabled={busy}
          onClick={() => store.takeStep('retry', turn.id)}
        />
      )}
      {turn.run !== undefined && <Restore run={turn.run} />}
      {store.isConnected.value && <TurnMenu turn={turn} busy={busy} />}
    </div>
  );
}

/** What is needed less often, each action with a line about it. */
function TurnMenu({ turn, busy }: { readonly turn: AnswerTurn; readonly busy: boolean }) {
  const store = useStore();
  return (
    <ActionMenu
      label={l10n.t('More actions for this answer')}
      actions={[
        {
          label: l10n.t('Ask another model…'),
          detail: l10n.t('Adds its answer as another version'),
          disabled: busy,
          onClick: () => store.models.askOther(turn.id),
        },
        {
          label: l10n.t('Ask several models side by side…'),
          detail: l10n.t('Asks this question again, and you keep one answer'),
          disabled: busy,
          onClick: () => store.models.askSeveral(turn.id),
        },
        {
          label: l10n.t('Fork into a new chat'),
          detail: l10n.t('Copies the chat up to this answer'),
          disabled: busy,
          onClick: () => store.fork(turn.id),
        },
        { label: l10n.t('Delete answer'), disabled: busy, onClick: () => store.removeTurn(turn.id) },
      ]}
    />
  );
}

function Restore({ run }: { readonly run: string }) {
  const parts = agentParts.current;
  return parts === undefined ? null : <parts.RestoreButton run={run} />;
}
