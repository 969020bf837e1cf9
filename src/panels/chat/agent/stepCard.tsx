import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { formatDuration, formatSeconds } from '../../../display/time.ts';
import type { AnswerTurn, RunAction } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { LineCounts } from '../../shared/lineCounts.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { useStore } from '../storeContext.ts';
import { HelperRows } from './helperRows.tsx';
import { detailOf, StepDetail, useDetail } from './stepDetail.tsx';
import { StepFigures } from './stepFigures.tsx';
import { deniedText, exitText, iconOf, type StepRow, stepRows, verbOf } from './stepText.ts';

interface StepCardProps {
  readonly turn: AnswerTurn;
  /** The call that a card asks about, which has no row meanwhile. */
  readonly waitsFor: string | undefined;
}

/** What a step does: a row for each action, the figures of its request, and what a command printed. */
export function StepCard({ turn, waitsFor }: StepCardProps) {
  const rows = stepRows(turn).filter(({ id }) => id !== waitsFor);
  const part = useShownPart(rows.length);
  const [first, ...others] = rows.slice(0, part.count);
  // A step that only updates the plan has its cost nevertheless.
  if (first === undefined) return waitsFor === undefined && !isRunning(turn) ? <StepFigures turn={turn} /> : null;
  return (
    <div class="step-card">
      <Action row={first}>{!isRunning(turn) && <StepFigures turn={turn} />}</Action>
      {others.map((row) => (
        <Action key={row.id} row={row} />
      ))}
      <MoreButton part={part} />
    </div>
  );
}

function Action({ row, children }: { readonly row: StepRow; readonly children?: ComponentChildren }) {
  const { action } = row;
  const [open, toggle] = useDetail(row);
  const hasDetail = detailOf(row) !== '';
  return (
    <div class={`action ${action.state}`}>
      <div class="action-head">
        {hasDetail ? (
          <button type="button" class="action-line" aria-expanded={open} onClick={toggle}>
            <ActionLine action={action} />
          </button>
        ) : (
          <div class="action-line">
            <ActionLine action={action} />
          </div>
        )}
        {children}
      </div>
      {action.kind === 'helpers' && (
        <HelperRows calls={row.calls} card={(step) => <StepCard turn={step} waitsFor={undefined} />} />
      )}
      <StepDetail row={row} open={open} />
    </div>
  );
}

function ActionLine({ action }: { readonly action: RunAction }) {
  const verb = verbOf(action);
  return (
    <>
      <Icon name={iconOf(action)} />
      <span class="action-text" title={action.object}>
        {verb !== '' && <span>{verb}</span>}
        {action.object !== '' && action.kind !== 'helpers' && <code>{action.object}</code>}
      </span>
      <Result action={action} />
    </>
  );
}

/** The result of an action, at the right edge. */
function Result({ action }: { readonly action: RunAction }) {
  switch (action.state) {
    case 'running':
      return <Elapsed at={action.at} />;
    case 'waiting':
      return <span class="action-result">{l10n.t('Waiting')}</span>;
    case 'denied':
      return <span class="action-result strong">{deniedText(action)}</span>;
    case 'interrupted':
      return (
        <span class="action-result">
          <Icon name="warning" size={14} />
          <span class="strong">{l10n.t('Interrupted')}</span>
        </span>
      );
    default:
      return <Ended action={action} />;
  }
}

function Elapsed({ at }: { readonly at: number | undefined }) {
  const { now } = useStore();
  const time = useNow(now, at !== undefined);
  return (
    <span class="action-result number">
      <span class="spinner" />
      {at !== undefined && formatSeconds(Math.max(0, time - at))}
    </span>
  );
}

function Ended({ action }: { readonly action: RunAction }) {
  const { added, removed, exitCode, ms, note, state } = action;
  if (exitCode !== undefined) {
    return (
      <span class={`action-result number ${exitCode === 0 ? 'good' : 'bad'}`}>
        <Icon name={exitCode === 0 ? 'pass' : 'error'} />
        <span class="strong">{exitText(exitCode)}</span>
        {ms !== undefined && <span class="from-340">{formatDuration(ms)}</span>}
      </span>
    );
  }
  if (state === 'failed') {
    return (
      <span class="action-result bad">
        <Icon name="error" />
        <span class="strong">{note ?? l10n.t('Failed')}</span>
      </span>
    );
  }
  if (added !== undefined || removed !== undefined) return <LineCounts added={added} removed={removed} />;
  return note === undefined ? null : <span class="action-result number">{note}</span>;
}
