import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { SandboxTag } from '../sandboxTag.tsx';

/** The model that answers, above its answer or the steps of its run. */
export function AnswerHead({ turn }: { readonly turn: AnswerTurn }) {
  return (
    <div class="answer-head">
      <bdi class="model-name" title={turn.model}>
        {turn.model}
      </bdi>
      {turn.sandbox && <SandboxTag />}
    </div>
  );
}
