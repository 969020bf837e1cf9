import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { formatMoney } from '../../../display/money.ts';
import { formatDuration, formatSeconds } from '../../../display/time.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { AnswerTurn, HelperState, HelperView, RunAction, ShownCall } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { LineCounts } from '../../shared/lineCounts.tsx';
import { Figure } from '../answer/figures.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useStore } from '../storeContext.ts';
import { detailOf, StepDetail, useDetail } from './stepDetail.tsx';
import { StepFigures } from './stepFigures.tsx';
import { deniedText, exitText, iconOf, type StepRow, stepRows, verbOf } from './stepText.ts';

const ICONS: Readonly<Record<Exclude<HelperState, 'running'>, string>> = {
  waiting: 'circle-large',
  done: 'pass',
  failed: 'error',
  stopped: 'circle-slash',
};

const WORDS: Readonly<Record<HelperState, () => string>> = {
  waiting: () => l10n.t('Waiting'),
  running: () => l10n.t('Running'),
  done: () => l10n.t('Done'),
  failed: () => l10n.t('Failed'),
  stopped: () => l10n.t('Stopped'),
};

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

interface HelperRowsProps {
  readonly calls: readonly ShownCall[];
  readonly card: (step: AnswerTurn) => ComponentChildren;
}

interface HelperRowProps extends Pick<HelperRowsProps, 'card'> {
  readonly helper: HelperView;
}

/** The helpers that a call has started: a row for each, with what it does below. */
function HelperRows({ calls, card }: HelperRowsProps) {
  const helpers = calls.flatMap((call) => call.helpers ?? []);
  if (helpers.length === 0) return null;
  return (
    <ul class="helpers" aria-label={l10n.t('Helpers')}>
      {helpers.map((helper) => (
        <HelperRow key={helper.id} helper={helper} card={card} />
      ))}
    </ul>
  );
}

function HelperRow({ helper, card }: HelperRowProps) {
  const store = useStore();
  const { id, name, role, model, state } = helper;
  const key = `helper ${id}`;
  const open = store.memory.open.value.has(key);
  const isStoppable = (state === 'running' || state === 'waiting') && store.acting.value;
  return (
    <li class="helper">
      <div class="command-head">
        <button
          type="button"
          class="action-line"
          aria-expanded={open}
          title={`${role} · ${model}`}
          onClick={() => store.memory.setOpen(key, !open)}
        >
          <StateIcon state={state} />
          <span class="action-text">
            <span>{name}</span>
            <span class="helper-role">{role}</span>
          </span>
          <HelperResult helper={helper} />
        </button>
        {isStoppable && (
          <IconButton
            icon="debug-stop"
            label={l10n.t('Stop {0}', name)}
            onClick={() => store.post({ type: 'stopHelper', helperId: id })}
          />
        )}
      </div>
      {open && <HelperDetail helper={helper} card={card} />}
    </li>
  );
}

function StateIcon({ state }: { readonly state: HelperState }) {
  return (
    <>
      {state === 'running' ? <span class="spinner" /> : <Icon name={ICONS[state]} />}
      <span class="hidden-text">{WORDS[state]()}</span>
    </>
  );
}

function HelperResult({ helper }: { readonly helper: HelperView }) {
  const { state, note, spent, isSample, inputTokens, outputTokens } = helper;
  return (
    <span class={`action-result number ${state === 'failed' ? 'bad' : ''}`}>
      {note !== undefined && <span class="strong">{note}</span>}
      {inputTokens > 0 && (
        <span class="helper-tokens from-340">{l10n.t('{0} tokens', formatTokens(inputTokens + outputTokens))}</span>
      )}
      {spent !== undefined && <span class={isSample === true ? '' : 'strong'}>{formatMoney(spent)}</span>}
    </span>
  );
}

/** The steps of a helper, its model, and what a step of it costs. */
function HelperDetail({ helper, card }: HelperRowProps) {
  const { model, role, budget, spent, fault, steps } = helper;
  const answered = steps.filter(({ figures }) => figures?.cost !== undefined).length;
  return (
    <div class="helper-detail">
      <p class="figures">
        <Figure>{model}</Figure>
        <Figure>{role}</Figure>
        {spent !== undefined && answered > 0 && (
          <Figure>{l10n.t('{0} per step', formatMoney(spent / answered))}</Figure>
        )}
        {budget > 0 && <Figure>{l10n.t('budget {0}', formatMoney(budget))}</Figure>}
      </p>
      {fault !== undefined && <p class="card-text">{fault}</p>}
      <ol class="steps" aria-label={l10n.t('Steps')}>
        {steps.map((step) => (
          <li key={step.id}>
            {step.text !== '' && <Markdown source={step.text} complete />}
            {card(step)}
            {step.failure !== undefined && <p class="card-text">{step.failure.title}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}
