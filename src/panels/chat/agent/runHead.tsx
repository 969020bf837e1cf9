import * as l10n from '@vscode/l10n';
import { formatSum, spokenMoney } from '../../../display/money.ts';
import { formatSeconds } from '../../../display/time.ts';
import type { ChatState, RunState, RunView } from '../../../pages/chat/protocol.ts';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { HeadButtons } from '../controls/headButtons.tsx';
import { useStore } from '../storeContext.ts';
import { isActing } from './runs.ts';

/** From this share of a limit on, the bar is in the warning color. */
const NEAR_LIMIT = 0.8;

const ICONS: Readonly<Record<Exclude<RunState, 'running'>, string>> = {
  waiting: 'debug-pause',
  stopped: 'circle-slash',
  done: 'pass',
  interrupted: 'debug-disconnect',
  elsewhere: 'pulse',
};

const WORDS: Readonly<Record<Exclude<RunState, 'running'>, () => string>> = {
  waiting: () => l10n.t('Waiting for you'),
  stopped: () => l10n.t('Stopped'),
  done: () => l10n.t('Done'),
  interrupted: () => l10n.t('Interrupted'),
  elsewhere: () => l10n.t('In another window'),
};

/** The head of a chat whose last question is answered by a run: title and state, with what was spent of the cap. */
export function RunHead({ state, run }: { readonly state: ChatState; readonly run: RunView }) {
  const store = useStore();
  return (
    <header class="run-head">
      <div class="run-line">
        <h1 class="title" dir="auto" title={state.title}>
          {state.title || l10n.t('New chat')}
        </h1>
        {isActing(state) && (
          <button
            type="button"
            class="button"
            title={l10n.t('Stop (Ctrl+Escape)')}
            aria-keyshortcuts="Control+Escape Meta+Escape"
            onClick={() => store.stop()}
          >
            <Icon name="debug-stop" />
            {l10n.t('Stop')}
          </button>
        )}
        <HeadButtons />
      </div>
      <div class="run-line number">
        <StateText run={run} />
        <SpentButton state={state} run={run} />
      </div>
      <LimitBar run={run} />
    </header>
  );
}

function StateText({ run }: { readonly run: RunView }) {
  const time = formatSeconds(useActiveTime(run));
  if (run.state === 'running') {
    return (
      <span class="run-state">
        <span class="run-word">
          <span class="live-dot" />
          <span class="from-280">{l10n.t('Step {0} of {1}', run.step, run.maxSteps)}</span>
          <span class="below-280">{l10n.t('Step {0}', run.step)}</span>
        </span>
        <span class="run-note from-340">{time}</span>
      </span>
    );
  }
  return (
    <span class="run-state">
      <span class="run-word">
        <Icon name={ICONS[run.state]} />
        <span>{WORDS[run.state]()}</span>
      </span>
      {run.state === 'done' ? (
        <span class="run-note from-340">{time}</span>
      ) : (
        <span class="run-note from-340">{l10n.t('step {0}', run.step)}</span>
      )}
    </span>
  );
}

/** Returns for how long the run has worked, in milliseconds: until it was continued last, and since then. */
function useActiveTime({ state, startedAt, activeMs }: RunView): number {
  const { now } = useStore();
  const isTicking = state === 'running';
  const time = useNow(now, isTicking);
  return isTicking ? activeMs + Math.max(0, time - startedAt) : activeMs;
}

function SpentButton({ state, run }: { readonly state: ChatState; readonly run: RunView }) {
  const store = useStore();
  const { spent, cap } = run;
  const isSample = state.connection === 'sandbox';
  return (
    <button
      type="button"
      class="run-spent"
      data-opens="limits"
      aria-haspopup="dialog"
      aria-expanded={store.popover.value === 'limits'}
      title={l10n.t('Limits for this run')}
      onClick={() => store.toggle('limits')}
    >
      {spent === undefined ? (
        <span class="run-note">{l10n.t('No price')}</span>
      ) : (
        <>
          <span class={isSample ? 'run-note' : 'strong'}>{formatSum(spent)}</span>
          {cap > 0 && <span class="run-note from-280">{l10n.t('of {0}', formatSum(cap))}</span>}
        </>
      )}
      <Icon name="chevron-down" size={12} />
      <span class="hidden-text">{l10n.t('Limits for this run')}</span>
    </button>
  );
}

/** How much of the cap is used, or of the steps if there is no cap. */
function LimitBar({ run }: { readonly run: RunView }) {
  const { spent, cap, step, maxSteps } = run;
  const isOfCap = cap > 0 && spent !== undefined;
  const share = Math.min(1, isOfCap ? spent / cap : step / Math.max(1, maxSteps));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter cannot have the color of the theme
    <div
      class={share >= NEAR_LIMIT ? 'run-bar near' : 'run-bar'}
      role="meter"
      aria-label={isOfCap ? l10n.t('Run cap') : l10n.t('Run steps')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={
        isOfCap ? l10n.t('{0} of {1}', spokenMoney(spent), spokenMoney(cap)) : l10n.t('Step {0} of {1}', step, maxSteps)
      }
    >
      <div class="run-bar-fill" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
