import * as l10n from '@vscode/l10n';
import { formatEstimate, formatMoney } from '../../display/money.ts';
import { formatLatency } from '../../display/time.ts';
import { formatTokens } from '../../display/tokens.ts';
import type { CheckName, CheckRow, ToolCheck } from '../../pages/connectTool/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { Step } from './step.tsx';
import { useStore } from './store.ts';

const NAMES = ['gateway', 'key', 'model', 'tool'] as const;
const ICONS = { waiting: 'circle-large', passed: 'pass', failed: 'error' } as const;
const WAITING: CheckRow = { state: 'waiting' };

/** Checks that the tool can work, up to its own first request. */
export function CheckStep() {
  const store = useStore();
  const { isDone } = store;
  const check = isDone.value ? store.check.value : undefined;
  const isRunning = NAMES.some((name) => check?.rows[name].state === 'running');
  return (
    <Step
      number={5}
      name={l10n.t('Check')}
      isDone={isDone.value && store.isChecked(NAMES)}
      {...(check !== undefined && {
        note: (
          <button
            type="button"
            class="link again"
            aria-disabled={isRunning}
            onClick={isRunning ? undefined : () => store.runCheck()}
          >
            <Icon name="refresh" size={14} />
            {l10n.t('Check Again')}
          </button>
        ),
      })}
    >
      <ul class="checks" aria-live="polite">
        {NAMES.map((name) => (
          <Row key={name} name={name} row={check?.rows[name] ?? WAITING} check={check} />
        ))}
      </ul>
      {isDone.value && <Start />}
    </Step>
  );
}

/** A connected tool fails while the gateway is off, so the page offers to start it with the editor. */
function Start() {
  const store = useStore();
  if (store.state.value?.startsWithEditor === true) {
    return <p class="hint">{l10n.t('The gateway starts with the editor.')}</p>;
  }
  return (
    <p class="hint">
      {l10n.t('Tools reach the gateway only while it runs. It does not start with the editor yet.')}{' '}
      <LinkButton label={l10n.t('Start It With the Editor')} onClick={() => store.post({ type: 'startWithEditor' })} />
    </p>
  );
}

interface RowProps {
  readonly name: CheckName;
  readonly row: CheckRow;
  /** Undefined while the tool is not connected. */
  readonly check: ToolCheck | undefined;
}

function Row({ name, row, check }: RowProps) {
  const { state } = row;
  return (
    <li class={`check-row ${state}`}>
      {state === 'running' ? <span class="spinner" /> : <Icon name={ICONS[state]} />}
      <span class="check-text">
        <span class="check-name">{TEXTS[name].title(useStore().tool.value?.name ?? '')}</span>{' '}
        <span class="check-words">
          {row.problem ?? (check ? wordsOf(name, state, check) : <Planned name={name} />)}
        </span>
        {name === 'tool' && state === 'waiting' && check !== undefined && <HowToAsk />}
      </span>
      <span class="figures number">{figuresOf(row)}</span>
    </li>
  );
}

function HowToAsk() {
  const store = useStore();
  const { id, program } = store.tool.value ?? {};
  if (id === undefined || program === undefined) return null;
  return (
    <>
      {' '}
      <span class="check-words">{`· ${l10n.t('Start {0} in a terminal.', program)}`}</span>{' '}
      <LinkButton label={l10n.t('Open Terminal')} onClick={() => store.post({ type: 'openTerminal', tool: id })} />
    </>
  );
}

interface CheckTexts {
  readonly title: (tool: string) => string;
  /** What is said once it has passed. */
  readonly passed: (check: ToolCheck) => string;
}

const TEXTS: Readonly<Record<CheckName, CheckTexts>> = {
  gateway: { title: () => l10n.t('Gateway'), passed: ({ host }) => l10n.t('answers at {0}', host) },
  key: { title: () => l10n.t('Local key'), passed: ({ key }) => l10n.t('{0} is accepted', key) },
  model: { title: () => l10n.t('Model'), passed: ({ model }) => l10n.t('{0} answered', model) },
  tool: { title: (tool) => tool, passed: () => l10n.t('has used the gateway') },
};

function wordsOf(name: CheckName, state: CheckRow['state'], check: ToolCheck): string {
  if (state === 'running') return l10n.t('is being checked…');
  if (state === 'waiting') return name === 'tool' ? l10n.t('waiting for its first request') : l10n.t('not checked yet');
  return TEXTS[name].passed(check);
}

/** Describes a step of the check, with its price if it has one. */
function Planned({ name }: { readonly name: CheckName }) {
  switch (name) {
    case 'gateway':
      return <PlannedStart />;
    case 'key':
      return <>{l10n.t('is checked when you connect')}</>;
    case 'model':
      return <PlannedRequest />;
    case 'tool':
      return <>{l10n.t('its first request')}</>;
  }
}

function PlannedStart() {
  const isRunning = useStore().state.value?.isGatewayRunning;
  return <>{isRunning === true ? l10n.t('is running') : l10n.t('starts when you connect')}</>;
}

function PlannedRequest() {
  const store = useStore();
  const cost = store.modelOf(store.form.value.model)?.checkCost;
  if (cost === undefined) return <>{l10n.t('one short request')}</>;
  return <>{l10n.t('one short request, at most {0}', formatEstimate(cost))}</>;
}

/** `31 in · 4 out · $0.0002 · 0.9 s` */
function figuresOf({ milliseconds, inputTokens, outputTokens, cost }: CheckRow): string {
  return [
    ...(inputTokens === undefined ? [] : [l10n.t('{0} in', formatTokens(inputTokens))]),
    ...(outputTokens === undefined ? [] : [l10n.t('{0} out', formatTokens(outputTokens))]),
    ...(cost === undefined ? [] : [formatMoney(cost)]),
    ...(milliseconds === undefined ? [] : [formatLatency(milliseconds)]),
  ].join(' · ');
}
