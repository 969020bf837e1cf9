import * as l10n from '@vscode/l10n';
import type { ConnectField, ConnectForm } from '../../pages/connectTool/protocol.ts';
import type { BudgetPeriod } from '../../rules/period.ts';

import { TextField } from '../shared/textField.tsx';
import { Step } from './step.tsx';
import { useStore } from './store.ts';

/** The tool's local key, and what it can spend. */
export function LimitStep() {
  const store = useStore();
  const { budget, sessionDollars } = store.form.value;
  return (
    <Step number={3} name={l10n.t('Limits')} isDone={store.isDone.value}>
      <div class="limits">
        <LimitField field="name" label={l10n.t('Local key')} />
        <div class="budget">
          <LimitField field="budget" label={l10n.t('Budget')} placeholder={l10n.t('No limit')} />
          <Period />
        </div>
        <LimitField field="sessionDollars" label={l10n.t('Session cap')} placeholder={l10n.t('No limit')} />
      </div>
      <p class="hint">
        {budget.trim() === ''
          ? l10n.t('Without a budget, the key can spend without limit.')
          : l10n.t('When the budget is reached, requests are refused.')}{' '}
        {sessionDollars.trim() === ''
          ? l10n.t('No session cap: sessions are not stopped.')
          : l10n.t('When a session reaches its cap, you are asked first.')}
      </p>
    </Step>
  );
}

interface LimitFieldProps {
  readonly field: Exclude<ConnectField, 'model'>;
  readonly label: string;
  readonly placeholder?: string;
}

function LimitField({ field, ...rest }: LimitFieldProps) {
  const store = useStore();
  const change = (value: string): Partial<ConnectForm> => ({ [field]: value });
  return (
    <TextField
      {...rest}
      id={field}
      value={store.form.value[field]}
      problem={store.problems.of(field)}
      onInput={(value) => store.change(change(value))}
      onLeave={() => store.problems.leave(field)}
    />
  );
}

function Period() {
  const store = useStore();
  const periods: readonly (readonly [BudgetPeriod, string])[] = [
    ['daily', l10n.t('per day')],
    ['monthly', l10n.t('per month')],
    ['total', l10n.t('in total')],
  ];
  return (
    <select
      aria-label={l10n.t('Budget period')}
      value={store.form.value.period}
      onChange={({ currentTarget }) => {
        const chosen = periods.find(([period]) => period === currentTarget.value);
        if (chosen !== undefined) store.change({ period: chosen[0] });
      }}
    >
      {periods.map(([period, text]) => (
        <option key={period} value={period}>
          {text}
        </option>
      ))}
    </select>
  );
}
