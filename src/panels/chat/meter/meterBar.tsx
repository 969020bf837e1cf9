import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { formatMoney } from '../../../display/money.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { type MeterState, type MeterView, meterView, type RestTexts, type WidthTexts } from './meter.ts';

/** How long the pointer must rest on the meter before the breakdown opens, in milliseconds. */
const HOVER_MS = 300;

const STATE_ICONS: Readonly<Record<MeterState, string | undefined>> = {
  normal: undefined,
  low: 'warning',
  over: 'warning',
  exhausted: 'error',
};

/** The line below the composer: tokens, share of the context window, cost, and balance after the request. */
export function Meter({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const view = meterView(state);
  const { onPointerEnter, onFocus, onClick, hide } = useBreakdownPeek();
  return (
    <div class={meterClass(state, view)} onPointerEnter={onPointerEnter} onPointerLeave={hide}>
      <Bar view={view} />
      <button
        type="button"
        class="meter-text number"
        data-opens="breakdown"
        title={l10n.t('Request breakdown')}
        aria-expanded={store.popover.value === 'breakdown'}
        onClick={onClick}
        onFocus={onFocus}
        onBlur={hide}
        onKeyDown={(event) => {
          if (event.key === 'Escape') store.closePopover();
        }}
      >
        <TokensText view={view} />
        <CostText view={view} />
      </button>
    </div>
  );
}

/** Returns the classes of the meter. Sample amounts never have the color of money. */
function meterClass({ connection }: ChatState, { state }: MeterView): string {
  return connection === 'sandbox' ? `meter ${state} sample` : `meter ${state}`;
}

/** Opens the breakdown while the pointer rests on the meter or the focus is there, and keeps it open after a click. */
function useBreakdownPeek() {
  const store = useStore();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // True while the breakdown is open because of the pointer or the focus. It then closes with them, unless it was
  // clicked.
  const passing = useRef(false);
  const show = () => {
    if (store.popover.value !== undefined) return;
    passing.current = true;
    store.popover.value = 'breakdown';
  };
  const hide = () => {
    clearTimeout(timer.current);
    if (passing.current && store.popover.value === 'breakdown') store.popover.value = undefined;
    passing.current = false;
  };
  const onPointerEnter = () => {
    timer.current = setTimeout(show, HOVER_MS);
  };
  const onFocus = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    if (currentTarget.matches(':focus-visible')) show();
  };
  const onClick = () => {
    clearTimeout(timer.current);
    if (passing.current) passing.current = false;
    else store.toggle('breakdown');
  };
  return { onPointerEnter, onFocus, onClick, hide };
}

/**
 * The meter of a question that is being edited, without the breakdown. `was` is the cost of its last answer, in US
 * dollars.
 */
export function EditMeter({
  state,
  previousCost,
}: {
  readonly state: ChatState;
  readonly previousCost: number | undefined;
}) {
  const view = meterView(state);
  return (
    <div class={meterClass(state, view)}>
      <Bar view={view} />
      <p class="meter-text number">
        <TokensText view={view} />
        <span class="meter-cost whole">
          <StateIcon state={view.state} />
          {view.cost !== undefined && <Amount text={view.cost} />}
          {view.cost !== undefined && previousCost !== undefined && (
            <span class="from-280">{`, ${l10n.t('was {0}', formatMoney(previousCost))}`}</span>
          )}
        </span>
      </p>
    </div>
  );
}

/** A meter without the breakdown. */
export function MeterLine({ state, view }: { readonly state: ChatState; readonly view: MeterView }) {
  return (
    <div class={meterClass(state, view)}>
      <Bar view={view} />
      <p class="meter-text number">
        <TokensText view={view} />
        <CostText view={view} />
      </p>
    </div>
  );
}

function Bar({ view }: { readonly view: MeterView }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter has no parts
    <div
      class="meter-bar"
      role="meter"
      aria-label={l10n.t('Request size')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={view.percent}
      aria-valuetext={view.spoken}
    >
      {view.segments.map(({ color, share }) => (
        <span key={color} class={`meter-fill ${color}`} style={{ width: `${share * 100}%` }} />
      ))}
      {view.excess > 0 && <span class="meter-excess" style={{ width: `${view.excess * 100}%` }} />}
    </div>
  );
}

function TokensText({ view }: { readonly view: MeterView }) {
  return (
    <span class="meter-tokens">
      {view.state === 'over' && <StateIcon state={view.state} />}
      <span class={view.state === 'over' ? 'strong' : ''}>{view.tokens}</span>
      {view.share !== undefined && (
        <span class="from-280">
          {' · '}
          {view.share}
          {view.window !== undefined && <span class="from-480"> {l10n.t('of {0}', view.window)}</span>}
        </span>
      )}
    </span>
  );
}

function CostText({ view }: { readonly view: MeterView }) {
  if (view.loadingPrices) {
    return (
      <span class="meter-cost">
        <span class="spinner" />
        {l10n.t('Loading prices')}
      </span>
    );
  }
  const rest = view.rest && <Rest text={view.rest} dot={view.cost === undefined ? '' : ' · '} />;
  return (
    <span class="meter-cost">
      <span class="meter-amount">
        {view.state !== 'over' && <StateIcon state={view.state} />}
        {view.cost === undefined ? rest : <Amount text={view.cost} />}
      </span>
      {view.cost !== undefined && rest}
    </span>
  );
}

function Amount({ text: { wide, narrow } }: { readonly text: WidthTexts }) {
  if (wide === narrow) return <span class="strong">{wide}</span>;
  return (
    <>
      <span class="strong from-340">{wide}</span>
      <span class="strong below-340">{narrow}</span>
    </>
  );
}

/** What is shown after the amount, separated by a dot. */
function Rest({ text: { wide, narrow, isSpare }, dot }: { readonly text: RestTexts; readonly dot: string }) {
  return (
    <>
      <span class="from-480">{dot + wide}</span>
      <span class={isSpare === true ? 'from-340' : ''}>
        <span class="below-480">{dot + narrow}</span>
      </span>
    </>
  );
}

function StateIcon({ state }: { readonly state: MeterState }) {
  const icon = STATE_ICONS[state];
  return icon === undefined ? null : <Icon name={icon} size={14} />;
}
