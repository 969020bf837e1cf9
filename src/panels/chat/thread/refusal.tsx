import * as l10n from '@vscode/l10n';
import type { AnswerTurn } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';

/** Shows that the answer is a refusal, with its text if there is one. */
export function Refusal({ turn, growing }: { readonly turn: AnswerTurn; readonly growing: boolean }) {
  const { refusal = '', refusedBy } = turn;
  return (
    <div class="card refusal">
      <Icon name="circle-slash" />
      <div class="card-body">
        <h2 class="card-title">
          {refusedBy === 'filter' ? l10n.t('The service withheld the answer') : l10n.t('The model refused to answer')}
        </h2>
        {refusal !== '' && <Markdown source={refusal} complete={!growing} />}
      </div>
    </div>
  );
}
