import * as l10n from '@vscode/l10n';
import { formatEstimate, formatPrice } from '../../../display/money.ts';
import { approximately } from '../../../display/tokens.ts';
import type { CachePrice, ChatState, ModelView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { withCompared } from './comparing.ts';
import type { ModelChoice } from './modelChoice.ts';
import { ABILITIES } from './modelList.ts';

/** What the icons mean, and the prices of the active model's cache, or the models of the active route. */
export function ModelFooter({ model: { cachePrices, targets } }: { readonly model: ModelView }) {
  if (targets !== undefined) {
    return (
      <div class="list-footer">
        {l10n.t('Asks one of {0}. The price is that of the most expensive one.', targets.join(', '))}
      </div>
    );
  }
  return (
    <div class="list-footer number">
      <span class="legend from-480">
        {ABILITIES.map(({ key, icon, label }) => (
          <span key={key}>
            <Icon name={icon} />
            {label()}
          </span>
        ))}
      </span>
      {cachePrices !== undefined && <span>{cacheText(cachePrices)}</span>}
    </div>
  );
}

/** ≈ marks a price that is not in the catalog but is used to compute costs. */
function cacheText(prices: readonly CachePrice[]): string {
  const priceOf = (kind: CachePrice['kind']) => {
    const known = prices.find((price) => price.kind === kind);
    if (known === undefined) return '–';
    return known.isAssumed ? approximately(formatPrice(known.price)) : formatPrice(known.price);
  };
  return l10n.t('Cache / 1M: {0} read, {1} write', priceOf('cachedInput'), priceOf('cacheWrite'));
}

/** The cost of the question to all chosen models, and the button that asks it. */
export function ComparedFooter({ state, choice }: { readonly state: ChatState; readonly choice: ModelChoice }) {
  const store = useStore();
  const { compared, isFull } = choice;
  const { expectedCost, inputCost } = withCompared(state, compared).estimate;
  const cost = expectedCost ?? inputCost;
  const isEnough = compared.length > 1;
  const asks = store.models.severalFor.value !== undefined || store.sending.isPossible.value;
  return (
    <div class="list-footer number">
      {!isEnough && <span>{l10n.t('Choose two or three models')}</span>}
      {isFull && <span>{l10n.t('Three models at most')}</span>}
      {isEnough && cost !== undefined && (
        <span class="footer-cost strong" role="status">
          {formatEstimate(cost)}
        </span>
      )}
      <button
        type="button"
        class={isEnough ? 'button primary' : 'button'}
        aria-disabled={!isEnough}
        onClick={() => isEnough && store.models.askChosen()}
      >
        {asks ? l10n.t('Ask') : l10n.t('Done')}
      </button>
    </div>
  );
}
