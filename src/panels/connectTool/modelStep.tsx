import * as l10n from '@vscode/l10n';
import { formatPrice } from '../../display/money.ts';
import { formatWindow } from '../../display/tokens.ts';
import type { ConnectModel } from '../../pages/connectTool/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { TextField } from '../shared/textField.tsx';
import { Step } from './step.tsx';
import { useStore } from './store.ts';

/** The model that the tool starts with, and names that map to it. */
export function ModelStep() {
  const store = useStore();
  const { state, form, tool } = store;
  const { models = [], chatModel } = state.value ?? {};
  const { model } = form.value;
  const name = tool.value?.name ?? '';
  const isOfChat = model === chatModel;
  return (
    <Step number={2} name={l10n.t('Model')} isDone={store.isDone.value}>
      {models.length === 0 ? (
        <TextField
          id="model"
          label={l10n.t('Model')}
          hidesLabel
          value={model}
          problem={store.problems.of('model')}
          onInput={(text) => store.change({ model: text })}
          onLeave={() => store.problems.leave('model')}
        />
      ) : (
        <ModelField models={models} />
      )}
      <p class="hint">
        {isOfChat && <>{l10n.t('The model in your current chat.')} </>}
        {l10n.t('{0} can still request any model that its key allows.', name)}
      </p>
      <Aliases />
    </Step>
  );
}

function ModelField({ models }: { readonly models: readonly ConnectModel[] }) {
  const store = useStore();
  const id = store.form.value.model;
  const model = store.modelOf(id);
  const isListed = model !== undefined;
  return (
    <div class="model-field text-box">
      <span class="model-text" aria-hidden="true">
        <span>{id}</span>
        <span class="meta number">{model && factsOf(model)}</span>
      </span>
      {model && <Abilities model={model} />}
      <Icon name="chevron-down" />
      <select
        aria-label={l10n.t('Model')}
        aria-describedby="model-facts"
        value={id}
        disabled={store.isBusy.value}
        onChange={({ currentTarget }) => store.change({ model: currentTarget.value })}
      >
        {!isListed && <option value={id}>{id}</option>}
        {models.map((each) => (
          <option key={each.id} value={each.id}>
            {[each.id, factsOf(each)].filter((text) => text !== '').join(' · ')}
          </option>
        ))}
      </select>
      <span id="model-facts" class="hidden-text">
        {model && [factsOf(model), ...abilitiesOf(model).map(({ word }) => word)].join(', ')}
      </span>
    </div>
  );
}

function Abilities({ model }: { readonly model: ConnectModel }) {
  return (
    <span class="abilities">
      {abilitiesOf(model).map(({ icon, word }) => (
        <span key={icon} title={word}>
          <Icon name={icon} />
        </span>
      ))}
    </span>
  );
}

function Aliases() {
  const store = useStore();
  const aliases = Object.entries(store.preview.value?.aliases ?? {});
  if (aliases.length === 0) return null;
  const name = store.tool.value?.name ?? '';
  return (
    <div class="aliases">
      <label>
        <input
          type="checkbox"
          checked={store.form.value.addsAliases}
          disabled={store.isBusy.value}
          onChange={({ currentTarget }) => store.change({ addsAliases: currentTarget.checked })}
        />
        {l10n.t('Add aliases for the model names that {0} always uses', name)}
      </label>
      <ul class="meta">
        {aliases.map(([alias, model]) => (
          <li key={alias}>
            <code>{`${alias} → ${model}`}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `200k · $3.00 in · $15.00 out per 1M tokens` */
function factsOf({ contextWindow, inputPrice, outputPrice }: ConnectModel): string {
  return [
    ...(contextWindow === undefined ? [] : [formatWindow(contextWindow)]),
    ...(inputPrice === undefined ? [] : [l10n.t('{0} in', formatPrice(inputPrice))]),
    ...(outputPrice === undefined ? [] : [l10n.t('{0} out per 1M tokens', formatPrice(outputPrice))]),
  ].join(' · ');
}

function abilitiesOf({ tools, images, reasoning }: ConnectModel) {
  return [
    ...(tools === true ? [{ icon: 'tools', word: l10n.t('tools') }] : []),
    ...(images === true ? [{ icon: 'file-media', word: l10n.t('images') }] : []),
    ...(reasoning === true ? [{ icon: 'thinking', word: l10n.t('reasoning') }] : []),
  ];
}
