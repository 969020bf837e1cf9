import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../../display/time.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { Icon } from '../../shared/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useFold } from './useFold.ts';

/** The model's reasoning, collapsed. */
export function Reasoning({ turn }: { readonly turn: AnswerTurn }) {
  const [open, toggle] = useFold(`reasoning ${turn.id}`);
  const tokens = turn.figures?.reasoningTokens;
  const growing = turn.text === '' && isRunning(turn);
  return (
    <div class="reasoning">
      <button type="button" class="reasoning-head" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
        <span class="number">
          {l10n.t('Reasoning')}
          {tokens !== undefined && tokens > 0 && ` · ${l10n.t('{0} tokens', formatTokens(tokens))}`}
          {turn.reasoningMs !== undefined && <span class="from-280">{` · ${formatDuration(turn.reasoningMs)}`}</span>}
        </span>
      </button>
      {open && (
        <div class="reasoning-body">
          <Markdown source={turn.reasoning} complete={!growing} />
        </div>
      )}
    </div>
  );
}
