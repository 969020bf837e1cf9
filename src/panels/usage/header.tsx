import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { ExportFormat, PeriodChoice, UsageState } from '../../pages/usage/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';

const PERIOD_NAMES: Readonly<Record<PeriodChoice['kind'], () => string>> = {
  today: () => l10n.t('Today'),
  '7days': () => l10n.t('7 days'),
  '30days': () => l10n.t('30 days'),
  month: () => l10n.t('Month'),
  dates: () => l10n.t('Dates…'),
};

/** The title, the period, and the export. */
export function Header({ state }: { readonly state: UsageState }) {
  return (
    <header class="header">
      <h1>{l10n.t('Usage')}</h1>
      <PeriodPicker state={state} />
      <ExportButtons />
    </header>
  );
}

const PRESETS = ['today', '7days', '30days', 'month'] as const;

function PeriodPicker({ state }: { readonly state: UsageState }) {
  const store = useStore();
  const [isChoosing, setChoosing] = useState(state.choice.kind === 'dates');
  return (
    <div class="period">
      <fieldset class="segments" aria-label={l10n.t('Period')}>
        {PRESETS.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={state.choice.kind === kind && !isChoosing}
            onClick={() => {
              setChoosing(false);
              store.choosePeriod({ kind });
            }}
          >
            {PERIOD_NAMES[kind]()}
          </button>
        ))}
        <button type="button" aria-pressed={isChoosing} aria-expanded={isChoosing} onClick={() => setChoosing(true)}>
          {PERIOD_NAMES.dates()}
        </button>
      </fieldset>
      {isChoosing && <Dates state={state} />}
    </div>
  );
}

/** Two date fields. A change takes effect immediately if both are valid dates. */
function Dates({ state }: { readonly state: UsageState }) {
  const store = useStore();
  const { period } = state;
  const choose = (chosen: UsageState['period']) => {
    if (chosen.first !== '' && chosen.last !== '') store.choosePeriod({ kind: 'dates', period: chosen });
  };
  const field = (label: string, end: 'first' | 'last', bound: { readonly min?: string; readonly max?: string }) => (
    <label>
      {label}
      <input
        type="date"
        class="text-box"
        value={period[end]}
        {...bound}
        onChange={({ currentTarget }) => choose({ ...period, [end]: currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="dates">
      {field(l10n.t('From'), 'first', { max: period.last })}
      {field(l10n.t('To'), 'last', { min: period.first })}
    </div>
  );
}

function ExportButtons() {
  const store = useStore();
  const button = (format: ExportFormat, label: string) => (
    <button type="button" class="button" onClick={() => store.export(format)}>
      <Icon name="export" size={14} />
      {label}
    </button>
  );
  return (
    <div class="buttons">
      {button('csv', l10n.t('Export CSV'))}
      {button('json', l10n.t('Export JSON'))}
    </div>
  );
}
