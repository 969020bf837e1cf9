import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { formatMoney } from '../../../display/money.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { AnswerTurn, HelperState, HelperView, ShownCall } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { Figure } from '../answer/figures.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useStore } from '../storeContext.ts';

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

interface HelperRowsProps {
  readonly calls: readonly ShownCall[];
  /** Shows a step. */
  readonly card: (step: AnswerTurn) => ComponentChildren;
}

interface HelperRowProps extends Pick<HelperRowsProps, 'card'> {
  readonly helper: HelperView;
}

/** The helpers that a call has started: a row for each, with what it does below. */
export function HelperRows({ calls, card }: HelperRowsProps) {
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
  const { model, role, budget, spent, steps } = helper;
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
