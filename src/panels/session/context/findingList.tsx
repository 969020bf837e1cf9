import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatSum } from '../../../display/money.ts';
import type { ContextFinding, ContextState } from '../../../pages/session/context/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../store.ts';
import { findingText } from './findingText.ts';

/** Further findings are shown on request. */
const SHOWN = 6;

/** What was paid for without use, and what compactions cost and saved, each with its dollars. */
export function FindingList({ context }: { readonly context: ContextState }) {
  const [isWhole, setWhole] = useState(false);
  const { findings } = context;
  const shown = isWhole ? findings : findings.slice(0, SHOWN);
  return (
    <>
      <h3>{l10n.t('Findings')}</h3>
      <ul class="findings">
        {shown.map((finding) => (
          <Finding key={keyOf(finding)} finding={finding} context={context} />
        ))}
      </ul>
      {findings.length > shown.length && (
        <LinkButton label={l10n.t('Show {0} more', findings.length - shown.length)} onClick={() => setWhole(true)} />
      )}
    </>
  );
}

function Finding({ finding, context }: { readonly finding: ContextFinding; readonly context: ContextState }) {
  const store = useStore();
  const { kind, name, cost, steps } = finding;
  const isSaved = kind === 'compaction_saved';
  const canSwitchOff = kind === 'unused_server' && context.switchOff[name] !== undefined;
  return (
    <li>
      <Icon name={isSaved ? 'pass' : kind === 'compaction_cost' ? 'info' : 'warning'} size={14} />
      <span class="finding-text">{findingText(finding, context.names)}</span>
      <span class="finding-cost number">{isSaved ? l10n.t('saved {0}', formatSum(cost)) : formatSum(cost)}</span>
      <span class="finding-actions">
        <LinkButton
          label={stepsText(steps)}
          onClick={() => store.showSteps(context.steps.slice(steps[0], steps[1] + 1))}
        />
        {canSwitchOff && (
          <button
            type="button"
            class="link"
            title={context.switchOff[name]}
            onClick={() => store.post({ type: 'copySwitchOff', server: name })}
          >
            {l10n.t('Copy Line to Switch It Off')}
          </button>
        )}
      </span>
    </li>
  );
}

export function stepsText([first, last]: readonly [number, number]): string {
  return first === last ? l10n.t('Step {0}', first + 1) : l10n.t('Steps {0}', `${first + 1}–${last + 1}`);
}

function keyOf({ kind, name, server, file, steps }: ContextFinding): string {
  return [kind, name, server, file, ...steps].join(' ');
}
