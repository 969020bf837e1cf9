import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { nameInFamily } from '../../../display/models.ts';
import { formatEstimate, formatPrice } from '../../../display/money.ts';
import { formatAgo } from '../../../display/time.ts';
import { approximately, formatWindow } from '../../../display/tokens.ts';
import type { CachePrice, CatalogView, ChatState, EstimateView, ModelView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { reveal } from '../../shared/reveal.ts';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { costWith } from '../meter/requestCost.ts';
import { useStore } from '../storeContext.ts';
import { withCompared } from './comparing.ts';
import { type ModelChoice, useModelChoice } from './modelChoice.ts';
import { ABILITIES, summary } from './modelList.ts';

/** A filter with the list of models below it, grouped by family, each with its context window and prices. */
export function ModelPicker({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const choice = useModelChoice(state);
  const { models, active } = choice;
  return (
    <PopoverBox name="models" class="list-popover models">
      <ModelFilter choice={choice} />
      <CatalogNote catalog={state.catalog} />
      {!store.models.isForEarlier && <CompareRow choice={choice} />}
      {!choice.comparing && state.catalog.models.every(({ targets }) => targets === undefined) && <RouteRow />}
      <div class="model-head from-480" aria-hidden="true">
        <span>{l10n.t('Model')}</span>
        <span>{l10n.t('Supports')}</span>
        <span>{l10n.t('Context')}</span>
        <span>{l10n.t('In / 1M')}</span>
        <span>{l10n.t('Out / 1M')}</span>
        <span>{l10n.t('This request')}</span>
      </div>
      <ModelGroups choice={choice} estimate={state.estimate} />
      {models.length === 0 && state.catalog.models.length > 0 && (
        <p class="list-note">
          {l10n.t('No models match.')}
          <LinkButton label={l10n.t('Clear search')} onClick={choice.clearFilter} />
        </p>
      )}
      {choice.comparing ? (
        <ComparedFooter state={state} choice={choice} />
      ) : (
        active !== undefined && <ModelFooter model={active} />
      )}
    </PopoverBox>
  );
}

function ModelFilter({ choice }: { readonly choice: ModelChoice }) {
  const { field, filter, setFilter, models, active, onKeyDown } = choice;
  const label = useStore().models.otherFor.value === undefined ? l10n.t('Choose a model') : l10n.t('Ask another model');
  return (
    <div class="filter text-box">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="model-list"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : rowId(active)}
        placeholder={label}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="filter-count from-480">
        {models.length === 1 ? l10n.t('1 model') : l10n.t('{0} models', models.length)}
      </span>
    </div>
  );
}

/** Switches between choosing one model and choosing several. */
function CompareRow({ choice: { comparing, toggleComparing } }: { readonly choice: ModelChoice }) {
  return (
    <button type="button" class="row compare-row" aria-pressed={comparing} onClick={toggleComparing}>
      <Icon name={comparing ? 'check' : 'split-horizontal'} />
      {l10n.t('Ask several models side by side')}
    </button>
  );
}

/** Leads to the ready-made routes, as long as there is no route to choose. */
function RouteRow() {
  const store = useStore();
  return (
    <button type="button" class="row compare-row" onClick={() => store.post({ type: 'manageRoutes' })}>
      <Icon name="type-hierarchy-sub" />
      {l10n.t('Choose the model automatically…')}
    </button>
  );
}

function ModelGroups({ choice, estimate }: { readonly choice: ModelChoice; readonly estimate: EstimateView }) {
  const { groups, active } = choice;
  const list = useScrollToActive(active?.id);
  return (
    <div
      class="model-list"
      id="model-list"
      role="listbox"
      aria-label={l10n.t('Models')}
      aria-multiselectable={choice.comparing}
      ref={list}
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
        <div key={group.family} role="group" aria-label={group.family}>
          <div class="group-name" role="presentation">
            {group.family}
          </div>
          {group.models.map((model) => (
            <ModelRow key={model.id} id={rowId(model)} model={model} estimate={estimate} choice={choice} />
          ))}
        </div>
      ))}
    </div>
  );
}

function rowId(model: ModelView): string {
  return `model-${model.id}`;
}

function useScrollToActive(activeId: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const scroll = () => reveal(element.querySelector('.active'));
    scroll();
    // The size of the list and its line breaks are only final a moment after it is rendered.
    const observer = new ResizeObserver(scroll);
    for (const part of [element, ...element.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [activeId]);
  return list;
}

/** Warns that the list of models is out of date, with a button to reload it. */
function CatalogNote({ catalog }: { readonly catalog: CatalogView }) {
  const store = useStore();
  if (catalog.state === 'current') return null;
  if (catalog.state === 'loading')
    return <p class="list-note">{catalog.models.length === 0 ? l10n.t('Loading models') : l10n.t('Loading prices')}</p>;
  const age =
    catalog.readAt === undefined
      ? l10n.t('This list is out of date.')
      : l10n.t('This list is from {0}.', formatAgo(store.now() - catalog.readAt));
  return (
    <p class="list-note" title={catalog.problem}>
      <Icon name="warning" size={14} />
      <span>{catalog.models.length === 0 ? l10n.t('Could not load the models.') : age}</span>
      <LinkButton label={l10n.t('Retry')} onClick={() => store.post({ type: 'refreshCatalog' })} />
    </p>
  );
}

/** What the icons mean, and the prices of the active model's cache, or the models of the active route. */
function ModelFooter({ model: { cachePrices, targets } }: { readonly model: ModelView }) {
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
function ComparedFooter({ state, choice }: { readonly state: ChatState; readonly choice: ModelChoice }) {
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

interface ModelRowProps {
  readonly id: string;
  readonly model: ModelView;
  readonly estimate: EstimateView;
  readonly choice: ModelChoice;
}

/** One model with the price of this request: a line with columns in a wide panel, two lines in a narrow one. */
function ModelRow({ id, model, estimate, choice }: ModelRowProps) {
  const { active, comparing, inUse, isChosen, isFull, choose, setActiveId } = choice;
  const checked = isChosen(model.id);
  const cost = costWith(model, estimate);
  const name = nameInFamily(model.id, model.family);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus
    <div
      id={id}
      role="option"
      class={`row model-row number${model === active ? ' active' : ''}`}
      aria-selected={checked}
      aria-disabled={comparing && isFull && !checked}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => choose(model)}
      onPointerMove={() => setActiveId(model.id)}
    >
      <span class={comparing ? 'row-check box' : 'row-check'}>
        {checked && <Icon name="check" size={comparing ? 14 : 16} />}
      </span>
      <span class="row-name" title={model.id}>
        <span class="row-family">{model.id.slice(0, -name.length)}</span>
        {name}
        {model.id === inUse && <span class="row-note from-480">{l10n.t('in use')}</span>}
      </span>
      <Abilities model={model} />
      <span class="row-window from-480">
        {model.contextWindow === undefined ? '' : formatWindow(model.contextWindow)}
      </span>
      <span class="row-price from-480">{model.inputPrice === undefined ? '' : formatPrice(model.inputPrice)}</span>
      <span class="row-price from-480">{model.outputPrice === undefined ? '' : formatPrice(model.outputPrice)}</span>
      <span class="row-estimate">{cost === undefined ? '' : formatEstimate(cost)}</span>
      <span class="row-summary below-480">{summary(model)}</span>
    </div>
  );
}

function Abilities({ model }: Pick<ModelRowProps, 'model'>) {
  return (
    <span class="row-abilities">
      {ABILITIES.map(({ key, icon, label }) => (
        <span key={key} class="ability" title={model[key] === true ? label() : undefined}>
          {model[key] === true && (
            <>
              <Icon name={icon} />
              <span class="hidden-text">{label()}</span>
            </>
          )}
        </span>
      ))}
    </span>
  );
}
