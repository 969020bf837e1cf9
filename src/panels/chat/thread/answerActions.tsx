import * as l10n from '@vscode/l10n';
import type { AnswerTurn } from '../../../editor/chat/protocol.ts';
import { useDone } from '../../shared/hooks.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

interface AnswerActionsProps {
  readonly turn: AnswerTurn;
  readonly last: boolean;
  /** One of several side-by-side answers, which can only be copied. */
  readonly compared: boolean;
}

export function AnswerActions({ turn, last, compared }: AnswerActionsProps) {
  const store = useStore();
  const [copied, showCopied] = useDone();
  const words = [turn.text, turn.refusal ?? ''].filter((part) => part !== '').join('\n\n');
  const busy = store.busy.value;
  const copy = () => {
    store.post({ type: 'copy', text: words });
    store.announce(l10n.t('Copied.'));
    showCopied();
  };
  const endedEarly = turn.status === 'stopped' || turn.status === 'cut' || turn.status === 'failed';
  return (
    <div class="answer-actions">
      {words !== '' && <IconButton icon={copied ? 'check' : 'copy'} label={l10n.t('Copy answer')} onClick={copy} />}
      {!compared && !(last && endedEarly) && (
        <IconButton
          icon="refresh"
          label={l10n.t('Retry')}
          disabled={busy}
          onClick={() => store.takeStep('retry', turn.id)}
        />
      )}
      {!compared && (
        <>
          <IconButton
            icon="git-branch"
            label={l10n.t('Fork into a new chat')}
            disabled={busy}
            onClick={() => store.post({ type: 'fork', turnId: turn.id })}
          />
          <IconButton
            icon="trash"
            label={l10n.t('Delete answer')}
            disabled={busy}
            onClick={() => store.post({ type: 'removeTurn', turnId: turn.id })}
          />
        </>
      )}
    </div>
  );
}
