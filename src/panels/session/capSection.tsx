import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatBalance, formatSum, spokenMoney } from '../../display/money.ts';
import { capLeftText } from '../../display/turns.ts';
import type { SessionCap, SessionState } from '../../pages/session/protocol.ts';
import { Button, LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';

/** The share of the cap from which it is nearly spent. */
const WARNING_SHARE = 0.8;
/** In US dollars. */
const [MIN_RAISE, MAX_RAISE] = [0.01, 1_000];

/** What the session has used of its cap, and the ways to raise it. */
export function CapSection({ state, known }: { readonly state: SessionState; readonly known: SessionCap }) {
  const store = useStore();
  const { cap, isKnown, isEnded } = known;
  if (cap === undefined) {
    return (
      <section class="section">
        <div class="plot-head">
          <h2>{l10n.t('No session cap')}</h2>
          <LinkButton label={l10n.t('Set Cap…')} onClick={() => store.post({ type: 'setCap' })} />
        </div>
      </section>
    );
  }
  return (
    <section class="section cap">
      <div class="plot-head">
        <h2>{l10n.t('Session cap')}</h2>
        <CapWord known={known} cap={cap} />
      </div>
      <CapBar state={state} known={known} cap={cap} />
      {isKnown && !isEnded && <RaiseForm known={known} cap={cap} />}
      <p class="quiet">
        {l10n.t('For this session only, including subagents. At the cap, you are asked before anything is refused.')}
      </p>
    </section>
  );
}

interface CapProps {
  readonly known: SessionCap;
  /** In US dollars. */
  readonly cap: number;
}

function CapWord({ known: { spent, isWaiting, isEnded }, cap }: CapProps) {
  const word = capWord(spent, cap, isWaiting, isEnded);
  if (word === undefined) return null;
  return (
    <span class="cap-word">
      <Icon name={isEnded ? 'circle-slash' : 'warning'} size={14} />
      {word}
    </span>
  );
}

function capWord(spent: number, cap: number, isWaiting: boolean, isEnded: boolean): string | undefined {
  if (isEnded) return l10n.t('ended');
  if (isWaiting) return l10n.t('waits for your answer');
  if (spent >= cap) return l10n.t('cap reached');
  return spent >= cap * WARNING_SHARE ? l10n.t('almost used up') : undefined;
}

function CapBar({ state, known: { spent }, cap }: CapProps & { readonly state: SessionState }) {
  const share = Math.min(1, spent / cap);
  return (
    <>
      <p class="cap-amounts number">
        <span>{l10n.t('{0} of {1}', formatSum(spent), formatBalance(cap))}</span>
        <span class="quiet">{capLeftText({ cap, spent, turns: state.turns.length, cost: state.totals.cost })}</span>
      </p>
      <div
        class={share >= WARNING_SHARE ? 'cap-bar nearly' : 'cap-bar'}
        role="progressbar"
        aria-label={l10n.t('Session cap')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * share)}
        aria-valuetext={l10n.t('{0} of {1}', spokenMoney(spent), spokenMoney(cap))}
      >
        <i style={{ width: `${100 * share}%` }} />
      </div>
    </>
  );
}

function RaiseForm({ known: { step, isWaiting }, cap }: CapProps) {
  const store = useStore();
  const [text, setText] = useState(String(step));
  const raise = readRaise(text);
  return (
    <form
      class="raise"
      onSubmit={(event) => {
        event.preventDefault();
        if (raise !== undefined) store.post({ type: 'raiseCap', raise });
      }}
    >
      <label for="raise">{l10n.t('Raise by')}</label>
      <span class="field">
        <input
          id="raise"
          inputMode="decimal"
          value={text}
          aria-invalid={raise === undefined}
          aria-describedby="raise-hint"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </span>
      <button type="submit" class={isWaiting ? 'button primary' : 'button'} aria-disabled={raise === undefined}>
        {raise === undefined ? l10n.t('Raise') : l10n.t('Raise to {0}', formatBalance(cap + raise))}
      </button>
      <Button label={l10n.t('End')} onClick={() => store.post({ type: 'endSession' })} />
      <span id="raise-hint" class="hint">
        {raise === undefined ? l10n.t('Enter an amount from $0.01 to $1,000.') : ''}
      </span>
    </form>
  );
}

function readRaise(text: string): number | undefined {
  const amount = Number(text.trim().replace(/^\$/, ''));
  return amount >= MIN_RAISE && amount <= MAX_RAISE ? amount : undefined;
}
