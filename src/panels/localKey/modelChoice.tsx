import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { formatPrice } from '../../display/money.ts';
import { formatWindow } from '../../display/tokens.ts';
import type { KeyFormModel } from '../../pages/localKey/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { Problem } from '../shared/textField.tsx';
import { Field, Section, Segments } from './fields.tsx';
import { useStore } from './store.ts';

/** Number of models shown at first, in addition to all selected ones. */
const SHOWN = 6;
const UNKNOWN = '—';

/** A choice between all models and selected ones, with context windows and prices. */
export function ModelChoice() {
  const store = useStore();
  const { models: chosen } = store.form.value;
  const models = store.state.value?.models ?? [];
  const note = chosen && l10n.t('{0} of {1}', String(chosen.length), String(models.length));
  return (
    <Section name={l10n.t('Models')} {...(note !== undefined && { note })}>
      <Segments
        label={l10n.t('Models that the key can use')}
        value={chosen === undefined ? 'all' : 'some'}
        options={[
          ['all', l10n.t('All')],
          ['some', l10n.t('Only these')],
        ]}
        onChoose={(which) => (which === 'all' ? store.allowAllModels() : store.change({ models: chosen ?? [] }))}
      />
      {chosen !== undefined && <ModelTable models={models} chosen={chosen} />}
    </Section>
  );
}

interface KeyModelRowProps {
  readonly model: KeyFormModel;
  readonly chosen: readonly string[];
}

function ModelRow({ model: { id, contextWindow, inputPrice, outputPrice }, chosen }: KeyModelRowProps) {
  const store = useStore();
  const toggle = () =>
    store.change({ models: chosen.includes(id) ? chosen.filter((name) => name !== id) : [...chosen, id] });
  return (
    <tr>
      <td>
        <label class="model-name">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            aria-invalid={store.problems.of('models') !== undefined}
            onChange={toggle}
          />
          {id}
        </label>
      </td>
      <td class="wide">{contextWindow === undefined ? UNKNOWN : formatWindow(contextWindow)}</td>
      <td>{priceText(inputPrice)}</td>
      <td>{priceText(outputPrice)}</td>
    </tr>
  );
}

interface KeyModelTableProps {
  readonly models: readonly KeyFormModel[];
  readonly chosen: readonly string[];
}

function ModelTable({ models, chosen }: KeyModelTableProps) {
  const store = useStore();
  const [first] = useState(() => new Set(chosen));
  const [isWhole, setWhole] = useState(false);
  const ordered = [...models].sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)));
  const shown = isWhole ? ordered : ordered.filter(({ id }, place) => place < SHOWN || chosen.includes(id));
  const more = ordered.length - shown.length;
  const problem = store.problems.of('models');
  return (
    <>
      <table class="model-table number" aria-label={l10n.t('Models')}>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Model')}</th>
            <th scope="col" class="wide">
              {l10n.t('Context')}
            </th>
            <th scope="col">{l10n.t('In / 1M')}</th>
            <th scope="col">{l10n.t('Out / 1M')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((model) => (
            <ModelRow key={model.id} model={model} chosen={chosen} />
          ))}
        </tbody>
      </table>
      {more > 0 && <LinkButton label={l10n.t('{0} more', more)} onClick={() => setWhole(true)} />}
      <Field
        field="patterns"
        label={l10n.t('Names separated by commas; * matches any text')}
        value={({ patterns }) => patterns}
        change={(patterns) => ({ patterns })}
        placeholder="familya-*"
        hint={l10n.t('Names separated by commas; * matches any text')}
      />
      {problem !== undefined && (
        <span class="hint problem">
          <Problem text={problem} />
        </span>
      )}
    </>
  );
}

function priceText(price: number | undefined): string {
  return price === undefined ? UNKNOWN : formatPrice(price);
}
