import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatEstimate, formatRoughly } from '../../../display/money.ts';
import { formatAgo } from '../../../display/time.ts';
import type { CatalogView, ChatState, ModelView } from '../../../editor/chat/protocol.ts';
import type { FormatName } from '../../../formats/conversation.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { stepped } from '../../shared/stepped.ts';
import { useStore } from '../storeContext.ts';
import { toggled } from './comparing.ts';
import { FORMATS } from './formatPicker.tsx';
import { ABILITIES, costWith, groupModels } from './modelList.ts';
import { ModelRow } from './modelRow.tsx';
import { PopoverBox } from './popoverBox.tsx';

/** A filter with the list of models below it, grouped by family, each with its window and prices. */
export function ModelPicker({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { catalog, model: inUse } = state;
  const [filter, setFilter] = useState('');
  const groups = useMemo(() => groupModels(catalog.models, filter), [catalog.models, filter]);
  const models = groups.flatMap((group) => group.models);
  const [activeId, setActiveId] = useState(inUse);
  const index = models.findIndex(({ id }) => id === activeId);
  const active = models[index] ?? (filter === '' ? undefined : models[0]);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const list = useScrollToActive(active?.id);
  const compared = store.compared.value;
  const [comparing, setComparing] = useState(compared.length > 0);
  const isChosen = (id: string) => (comparing ? compared.includes(id) : id === inUse);

  const choose = (model: ModelView | undefined) => {
    if (model === undefined) return;
    if (comparing) {
      store.compared.value = toggled(compared, model.id);
      return;
    }
    store.post({ type: 'chooseModel', model: model.id });
    store.closePopover();
  };
  const move = (step: 1 | -1) => {
    const current = active === undefined ? -1 : models.indexOf(active);
    setActiveId(models[stepped(current, step, models.length)]?.id ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') choose(active);
    else if (event.key === 'Escape') store.closePopover();
    else return;
    event.preventDefault();
  };

  return (
    <PopoverBox name="models" class="list-popover models">
      <div class="filter">
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={l10n.t('Choose a model')}
          aria-expanded="true"
          aria-controls="model-list"
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : rowId(active)}
          placeholder={l10n.t('Choose a model')}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          icon="split-horizontal"
          label={l10n.t('Ask several models side by side')}
          pressed={comparing}
          onClick={() => {
            store.compared.value = comparing || inUse === '' ? [] : [inUse];
            setComparing(!comparing);
            field.current?.focus();
          }}
        />
        <span class="filter-count from-480">
          {models.length === 1 ? l10n.t('1 model') : l10n.t('{0} models', models.length)}
        </span>
      </div>
      <CatalogNote catalog={catalog} />
      <div class="model-head from-480" aria-hidden="true">
        <span>{l10n.t('Model')}</span>
        <span>{l10n.t('Can use')}</span>
        <span>{l10n.t('Window')}</span>
        <span>{l10n.t('In / 1M')}</span>
        <span>{l10n.t('Out / 1M')}</span>
      </div>
      <div class="model-list" id="model-list" role="listbox" aria-label={l10n.t('Models')} ref={list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div key={group.family} role="group" aria-label={group.family}>
            <div class="group-name" role="presentation">
              {group.family}
            </div>
            {group.models.map((model) => (
              <ModelRow
                key={model.id}
                id={rowId(model)}
                model={model}
                checked={isChosen(model.id)}
                inUse={model.id === inUse}
                active={model === active}
                onChoose={() => choose(model)}
                onPoint={() => setActiveId(model.id)}
              />
            ))}
          </div>
        ))}
      </div>
      {models.length === 0 && catalog.models.length > 0 && (
        <p class="list-note">
          {l10n.t('No model matches.')}
          <button
            type="button"
            class="link"
            onClick={() => {
              setFilter('');
              field.current?.focus();
            }}
          >
            {l10n.t('Clear search')}
          </button>
        </p>
      )}
      <FormatChoice format={state.format} />
      <button type="button" class="link below-340 parameters-link" onClick={() => store.toggle('parameters')}>
        {l10n.t('Parameters')}
      </button>
      {comparing ? (
        <ComparedFooter chosen={compared} />
      ) : (
        active !== undefined && <Footer state={state} model={active} />
      )}
    </PopoverBox>
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
    const scroll = () => element.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
    scroll();
    // The room of the list, and where its texts break, are settled a moment after it is drawn.
    const observer = new ResizeObserver(scroll);
    for (const part of [element, ...element.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [activeId]);
  return list;
}

/** Says when the list is not fresh, with a way to read it again. */
function CatalogNote({ catalog }: { readonly catalog: CatalogView }) {
  const store = useStore();
  if (catalog.state === 'current') return null;
  if (catalog.state === 'loading')
    return <p class="list-note">{catalog.models.length === 0 ? l10n.t('Loading models') : l10n.t('Loading prices')}</p>;
  const age =
    catalog.readAt === undefined
      ? l10n.t('This list is not current.')
      : l10n.t('This list is from {0}.', formatAgo(store.now() - catalog.readAt));
  return (
    <p class="list-note" title={catalog.problem}>
      <Icon name="warning" size={14} />
      <span>{catalog.models.length === 0 ? l10n.t('Could not read the models.') : age}</span>
      <button type="button" class="link" onClick={() => store.post({ type: 'refreshCatalog' })}>
        {l10n.t('Retry')}
      </button>
    </p>
  );
}

/** In a narrow panel the format picker is hidden, so the choice is made here. */
function FormatChoice({ format }: { readonly format: FormatName }) {
  const store = useStore();
  return (
    <fieldset class="format-choice below-280">
      <legend>{l10n.t('Format')}</legend>
      {FORMATS.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="format"
            checked={name === format}
            onChange={() => store.post({ type: 'chooseFormat', format: name })}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

function ComparedFooter({ chosen }: { readonly chosen: readonly string[] }) {
  const store = useStore();
  const text =
    chosen.length < 2
      ? l10n.t('Choose two or three models.')
      : l10n.t('The next question goes to {0} models.', chosen.length);
  return (
    <div class="list-footer">
      <span>{text}</span>
      {chosen.length > 1 && (
        <button type="button" class="link footer-cost" onClick={() => store.closePopover()}>
          {l10n.t('Done')}
        </button>
      )}
    </div>
  );
}

/** What this request would cost with the model under the cursor. */
function Footer({ state, model }: { readonly state: ChatState; readonly model: ModelView }) {
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
    </div>
  );
}
