import * as l10n from '@vscode/l10n';
import type { AnswerTurn } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { agentParts } from '../agent/lateParts.ts';
import { applyMessagesOf, hasCode } from '../markdown/codeApplying.ts';
import { CopyButton } from '../markdown/copyButton.tsx';
import { useStore } from '../storeContext.ts';

interface AnswerActionsProps {
  readonly turn: AnswerTurn;
  readonly last: boolean;
  /** True for one of several side-by-side answers, which can only be copied. */
  readonly compared: boolean;
}

export function AnswerActions({ turn, last, compared }: AnswerActionsProps) {
  const store = useStore();
  const words = [turn.text, turn.refusal ?? ''].filter((part) => part !== '').join('\n\n');
  const busy = store.busy.value;
  const endedEarly = turn.status === 'stopped' || turn.status === 'cut' || turn.status === 'failed';
  return (
    <div class="answer-actions">
      {words !== '' && <CopyButton text={words} label={l10n.t('Copy answer')} />}
      {hasCode(turn.text) && (
        <IconButton
          icon="git-pull-request-go-to-changes"
          label={l10n.t('Apply to files')}
          onClick={() => {
            for (const message of applyMessagesOf(turn.text)) store.post(message);
          }}
        />
      )}
      {!compared && !(last && endedEarly) && (
        <IconButton
          icon="refresh"
          label={l10n.t('Retry')}
          disabled={busy}
          onClick={() => store.takeStep('retry', turn.id)}
        />
      )}
      {turn.run !== undefined && <Restore run={turn.run} />}
      {!compared && <TurnActions turn={turn} busy={busy} />}
    </div>
  );
}

function TurnActions({ turn, busy }: { readonly turn: AnswerTurn; readonly busy: boolean }) {
  const store = useStore();
  return (
    <>
      <IconButton
        icon="git-branch"
        label={l10n.t('Fork into a new chat')}
        disabled={busy}
        onClick={() => store.fork(turn.id)}
      />
      <IconButton
        icon="trash"
        label={l10n.t('Delete answer')}
        disabled={busy}
        onClick={() => store.removeTurn(turn.id)}
      />
      <button
        type="button"
        class="ask-other"
        data-opens="models"
        aria-disabled={busy}
        title={l10n.t('Ask another model…')}
        onClick={() => !busy && store.askOther(turn.id)}
      >
        <Icon name="split-horizontal" />
        <span class="from-340">{l10n.t('Ask another model…')}</span>
        <span class="hidden-text below-340">{l10n.t('Ask another model…')}</span>
      </button>
    </>
  );
}

function Restore({ run }: { readonly run: string }) {
  const parts = agentParts.current;
  return parts === undefined ? null : <parts.RestoreButton run={run} />;
}
