import type { AnswerTurn } from '../../../editor/chat/protocol.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { useDone } from '../../shared/useDone.ts';
import { useStore } from '../storeContext.ts';

export function AnswerActions({ turn, last }: { readonly turn: AnswerTurn; readonly last: boolean }) {
  const store = useStore();
  const [copied, showCopied] = useDone();
  const copy = () => {
    store.post({ type: 'copy', text: turn.text });
    store.announce('Copied.');
    showCopied();
  };
  const asksAgainElsewhere = turn.status === 'stopped' || turn.status === 'cut' || turn.status === 'failed';
  return (
    <div class="answer-actions">
      <IconButton icon={copied ? 'check' : 'copy'} label="Copy answer" onClick={copy} />
      {last && !asksAgainElsewhere && (
        <IconButton icon="refresh" label="Ask again" onClick={() => store.takeStep('retry', turn.id)} />
      )}
    </div>
  );
}
