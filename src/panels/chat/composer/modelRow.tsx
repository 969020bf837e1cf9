import * as l10n from '@vscode/l10n';
import { nameInFamily } from '../../../display/models.ts';
import { formatPrice } from '../../../display/money.ts';
import { formatWindow } from '../../../display/tokens.ts';
import type { ModelView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { ABILITIES, summary } from './modelList.ts';

interface ModelRowProps {
  readonly id: string;
  readonly model: ModelView;
  readonly checked: boolean;
  readonly inUse: boolean;
  readonly active: boolean;
  readonly onChoose: () => void;
  readonly onPoint: () => void;
}

/** One model: a line with columns in a wide panel, two lines in a narrow one. */
export function ModelRow({ id, model, checked, inUse, active, onChoose, onPoint }: ModelRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus
    <div
      id={id}
      role="option"
      class={`row model-row number${active ? ' active' : ''}`}
      aria-selected={checked}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onPointerMove={onPoint}
    >
      <span class="row-check">{checked && <Icon name="check" />}</span>
      <span class="row-name">
        {nameInFamily(model.id, model.family)}
        {inUse && <span class="row-note from-480">{l10n.t('in use')}</span>}
        <span class="row-summary below-480">{summary(model)}</span>
      </span>
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
      <span class="row-window from-480">
        {model.contextWindow === undefined ? '' : formatWindow(model.contextWindow)}
      </span>
      <span class="row-price from-480">{model.inputPrice === undefined ? '' : formatPrice(model.inputPrice)}</span>
      <span class="row-price from-480">{model.outputPrice === undefined ? '' : formatPrice(model.outputPrice)}</span>
    </div>
  );
}
