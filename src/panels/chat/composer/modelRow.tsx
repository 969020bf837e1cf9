import * as l10n from '@vscode/l10n';
import { nameInFamily } from '../../../display/models.ts';
import { formatEstimate, formatPrice } from '../../../display/money.ts';
import { formatWindow } from '../../../display/tokens.ts';
import type { EstimateView, ModelView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { costWith } from '../meter/requestCost.ts';
import type { ModelChoice } from './modelChoice.ts';
import { ABILITIES, summary } from './modelList.ts';

interface ModelRowProps {
  readonly id: string;
  readonly model: ModelView;
  readonly estimate: EstimateView;
  readonly choice: ModelChoice;
}

/** One model with the price of this request: a line with columns in a wide panel, two lines in a narrow one. */
export function ModelRow({ id, model, estimate, choice }: ModelRowProps) {
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
