import * as l10n from '@vscode/l10n';
import { formatTokens } from '../../../display/tokens.ts';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { costText } from '../answer/costText.ts';
import { Figure } from '../answer/figures.tsx';
import { useStore } from '../storeContext.ts';
import type { RunChecks, RunEnd, RunSum } from './runs.ts';
import { cachedText } from './stepFigures.tsx';
import { exitText } from './stepText.ts';

interface RunEndProps {
  readonly end: RunEnd;
  readonly sandbox: boolean;
}

/** How the last commands of a run ended, and what it has used, below its report. */
export function RunEndLines({ end: { sum, checks }, sandbox }: RunEndProps) {
  return (
    <>
      <ChecksLine checks={checks} />
      <SumLine sum={sum} sandbox={sandbox} />
    </>
  );
}

function ChecksLine({ checks }: { readonly checks: RunChecks }) {
  if (checks.length === 0) return null;
  return (
    <p class="figures run-checks">
      {checks.map(({ command, exitCode }) => (
        <Figure key={command} class={exitCode === 0 ? 'good' : 'bad'} title={command}>
          <Icon name={exitCode === 0 ? 'pass' : 'error'} size={14} />
          <code>{command}</code>
          {exitText(exitCode)}
        </Figure>
      ))}
    </p>
  );
}

function SumLine({ sum, sandbox }: { readonly sum: RunSum; readonly sandbox: boolean }) {
  const { steps, inputTokens, outputTokens } = sum;
  const cost = costText(sum);
  const cached = cachedText(sum);
  return (
    <p class="figures meta">
      <Figure>{steps === 1 ? l10n.t('1 step') : l10n.t('{0} steps', steps)}</Figure>
      {inputTokens !== undefined && <Figure>{l10n.t('{0} in', formatTokens(inputTokens))}</Figure>}
      {cached !== undefined && <Figure class="from-340">{cached}</Figure>}
      {outputTokens !== undefined && <Figure>{l10n.t('{0} out', formatTokens(outputTokens))}</Figure>}
      {cost !== undefined && <Figure class={sandbox ? 'sample' : 'cost'}>{cost}</Figure>}
    </p>
  );
}

/** The agents that can take over, once the last run of the chat is done. */
export function Handoffs({ run }: { readonly run: string | undefined }) {
  const store = useStore();
  const last = store.state.value?.run;
  const labels = last?.id === run ? (last?.handoffs ?? []) : [];
  if (labels.length === 0) return null;
  return (
    <div class="buttons">
      {labels.map((label, place) => (
        <Button key={label} label={label} onClick={() => store.post({ type: 'handOff', place })} />
      ))}
    </div>
  );
}
