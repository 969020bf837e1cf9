import * as l10n from '@vscode/l10n';
import { formatEstimate, formatPrice, formatRoughly } from '../../../display/money.ts';
import { approximately } from '../../../display/tokens.ts';
import type { CachePrice, ChatState, ModelView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { costWith } from '../meter/requestCost.ts';
import { useStore } from '../storeContext.ts';
import { ABILITIES } from './modelList.ts';

/** The cost of this request with the active model. */
export function ModelFooter({ state, model }: { readonly state: ChatState; readonly model: ModelView }) {
  const cost = costWith(model, state.estimate);
  const before = state.catalog.models.find(({ id }) => id === state.model);
  const was = before === undefined || before === model ? undefined : costWith(before, state.estimate);
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
      <span class="footer-model">
        <span class="from-480">
          {cost === undefined ? l10n.t('This request with {0}', model.id) : l10n.t('This request with {0}:', model.id)}
        </span>
        <span class="below-480 strong">{model.id}</span>
      </span>
      {cost !== undefined && (
        <span class="footer-cost">
          {formatEstimate(cost)}
          {was !== undefined && `, ${l10n.t('was {0}', formatRoughly(was))}`}
        </span>
      )}
      {model.cachePrices !== undefined && <span class="footer-cache">{cacheText(model.cachePrices)}</span>}
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
  const parts = [priceOf('cachedInput'), priceOf('cacheWrite'), priceOf('longCacheWrite')] as const;
  return l10n.t('Cache / 1M: {0}', l10n.t('{0} read, {1} written for 5 min, {2} for 1 h', ...parts));
}

/** Shows how many models the next question is sent to. */
export function ComparedFooter({ chosen }: { readonly chosen: readonly string[] }) {
  const store = useStore();
  const isAgain = store.models.severalFor.value !== undefined;
  const text =
    chosen.length < 2
      ? l10n.t('Choose two or three models.')
      : isAgain
        ? l10n.t('This question goes to {0} models.', chosen.length)
        : l10n.t('The next question goes to {0} models.', chosen.length);
  return (
    <div class="list-footer">
      <span>{text}</span>
      {chosen.length > 1 && (
        <button type="button" class="link footer-cost" onClick={() => store.models.askChosen()}>
          {isAgain ? l10n.t('Ask') : l10n.t('Done')}
        </button>
      )}
    </div>
  );
}
