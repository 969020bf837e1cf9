import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../../../display/money.ts';
import type { LoopView, RunView } from '../../../../pages/chat/protocol.ts';
import { Button } from '../../../shared/button.tsx';
import { useStore } from '../../storeContext.ts';
import { DiffLines, type DiffRow } from '../diffLines.tsx';
import { RestoreLink } from '../restore.tsx';
import { Card } from './card.tsx';
import { ContinueButton } from './continueButton.tsx';

/** Why a run has stopped by itself: what it repeated, and what each repetition cost. */
export function LoopCard({ run, loop }: { readonly run: RunView; readonly loop: LoopView }) {
  const { kind, steps, result } = loop;
  const title =
    kind === 'sameCall'
      ? l10n.t('Stopped: the same call was made three times')
      : l10n.t('Stopped: edits undo each other');
  const rows = rowsOf(loop);
  return (
    <Card icon="sync-ignored" kind="warning" title={title} role="alert">
      <p class="card-text">{explanation(loop)}</p>
      {result !== undefined && <pre class="asked">{result}</pre>}
      {rows.length > 0 && (
        <div class="asked-diff">
          <DiffLines rows={rows} />
        </div>
      )}
      <ul class="loop-steps number">
        {steps.map(({ step, object, cost }) => (
          <li key={step}>
            <span class="loop-step">{l10n.t('Step {0}', step)}</span>
            <code>{object}</code>
            {cost !== undefined && <span class="loop-cost">{formatMoney(cost)}</span>}
          </li>
        ))}
      </ul>
      <LoopButtons run={run} />
    </Card>
  );
}

function explanation({ kind, detail, result, steps }: LoopView): string {
  if (kind === 'sameCall') {
    return result === undefined
      ? l10n.t('The result was the same each time: {0}', detail)
      : l10n.t('The result was the same each time:');
  }
  const lines = new Set(steps.map(({ diff = [] }) => diff[0]?.old ?? diff[0]?.new));
  const [line] = lines;
  return lines.size === 1 && line !== undefined
    ? l10n.t('Line {0} of {1} was reverted twice.', line, detail)
    : l10n.t('{0} was reverted twice.', detail);
}

/** The lines that each step has changed, without their common indentation. The first one names the step. */
function rowsOf({ steps }: LoopView): readonly DiffRow[] {
  const texts = steps.flatMap(({ diff = [] }) => diff.map(({ text }) => text)).filter((text) => text.trim() !== '');
  const indent = Math.min(...texts.map((text) => text.search(/\S/)));
  return steps.flatMap(({ step, diff = [] }) =>
    diff.map((line, index) => ({
      line: { ...line, text: line.text.slice(indent) },
      heads: [index === 0 ? l10n.t('step {0}', step) : ''],
    })),
  );
}

function LoopButtons({ run }: { readonly run: RunView }) {
  const store = useStore();
  return (
    <>
      <div class="buttons">
        <Button primary label={l10n.t('Add a Hint')} onClick={() => store.takeFocus()} />
        <ContinueButton text={l10n.t('Continue Anyway')} isPrimary={false} />
      </div>
      <p>
        <RestoreLink run={run.id} />
      </p>
    </>
  );
}
