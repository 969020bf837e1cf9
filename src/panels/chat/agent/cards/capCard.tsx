import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatSum } from '../../../../display/money.ts';
import type { CapQuestion } from '../../../../pages/chat/protocol.ts';
import { useStore } from '../../storeContext.ts';
import { Card } from './card.tsx';

/** Asks before the step that would exceed a limit. Nothing is charged until the user chooses. */
export function CapCard({ question }: { readonly question: CapQuestion }) {
  const store = useStore();
  const { limit, value, raises, openItems } = question;
  const [by, setBy] = useState(raises[0] ?? 0);
  const raise = (amount: number) => {
    store.post({ type: 'raiseCap', by: amount });
    store.takeFocus();
  };
  return (
    <Card icon="credit-card" kind="warning" title={titleOf(limit)} role="alert">
      <p class="card-text">{`${openItemsText(openItems)}${l10n.t('Nothing more is charged until you choose.')}`}</p>
      <fieldset class="raises">
        <legend>{l10n.t('Raise by')}</legend>
        <span class="segments number">
          {raises.map((amount) => (
            <label key={amount} class={amount === by ? 'segment chosen' : 'segment'}>
              <input
                type="radio"
                name="raise"
                class="hidden-text"
                checked={amount === by}
                onChange={() => setBy(amount)}
              />
              {limit === 'steps' ? amount : formatSum(amount)}
            </label>
          ))}
        </span>
      </fieldset>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => raise(by)}>
          {raiseText(limit, value + by)}
        </button>
        <button type="button" class="button" onClick={() => raise(0)}>
          {l10n.t('Stop Here')}
        </button>
      </div>
    </Card>
  );
}

function titleOf(limit: CapQuestion['limit']): string {
  switch (limit) {
    case 'run':
      return l10n.t('The next step would exceed the cap');
    case 'step':
      return l10n.t('The next step would exceed the cap per step');
    case 'steps':
      return l10n.t('The run has used all its steps');
  }
}

function openItemsText(count: number): string {
  if (count === 0) return '';
  const text = count === 1 ? l10n.t('1 plan item is left.') : l10n.t('{0} plan items are left.', count);
  return `${text} `;
}

function raiseText(limit: CapQuestion['limit'], value: number): string {
  return limit === 'steps' ? l10n.t('Raise to {0} Steps', value) : l10n.t('Raise to {0}', formatSum(value));
}
