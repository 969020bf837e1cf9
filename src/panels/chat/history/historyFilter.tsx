import * as l10n from '@vscode/l10n';
import type { HistoryFilter, HistoryView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { Menu } from '../../shared/menu.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { RemoveButton } from '../controls/removeButton.tsx';
import { useStore } from '../storeContext.ts';

interface FilterProps {
  readonly filter: HistoryFilter;
  readonly onChange: (filter: HistoryFilter) => void;
}

/** Opens the filter menu of the list. */
export function FilterButton({ isActive }: { readonly isActive: boolean }) {
  const store = useStore();
  return (
    <span data-opens="filter">
      <IconButton
        icon={isActive ? 'filter-filled' : 'filter'}
        label={l10n.t('Filter')}
        class={isActive ? 'changed' : ''}
        onClick={() => store.toggle('filter')}
      />
    </span>
  );
}

interface FilterMenuProps extends FilterProps {
  readonly history: Pick<HistoryView, 'models' | 'hasWorkspace'>;
  readonly onClose: () => void;
}

/** The filter menu. It stays open while several items are chosen. */
export function FilterMenu({ filter, history, onChange, onClose }: FilterMenuProps) {
  const { models, hasWorkspace } = history;
  const { model, ...others } = filter;
  return (
    <PopoverBox name="filter" class="list-popover history-filter">
      <Menu label={l10n.t('Filter')} onClose={onClose}>
        <FilterItem
          role="menuitemcheckbox"
          text={l10n.t('Pinned')}
          checked={filter.pinned === true}
          onChoose={() => onChange(toggled(filter, 'pinned'))}
        />
        {hasWorkspace && (
          <FilterItem
            role="menuitemcheckbox"
            text={l10n.t('Started in this workspace')}
            checked={filter.workspace === true}
            onChoose={() => onChange(toggled(filter, 'workspace'))}
          />
        )}
        {models.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a group of menu items, not of form fields
          <div role="group" aria-label={l10n.t('Model')} class="filter-models">
            <FilterItem
              role="menuitemradio"
              text={l10n.t('Any model')}
              checked={model === undefined}
              onChoose={() => onChange(others)}
            />
            {models.map((name) => (
              <FilterItem
                key={name}
                role="menuitemradio"
                text={name}
                checked={name === model}
                onChoose={() => onChange({ ...others, model: name })}
              />
            ))}
          </div>
        )}
      </Menu>
    </PopoverBox>
  );
}

interface FilterItemProps {
  readonly role: 'menuitemcheckbox' | 'menuitemradio';
  readonly text: string;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

function FilterItem({ role, text, checked, onChoose }: FilterItemProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a check
    <button type="button" role={role} class="row" aria-checked={checked} title={text} onClick={onChoose}>
      <span class="row-check">{checked && <Icon name="check" />}</span>
      <span class="row-name">{text}</span>
    </button>
  );
}

/** Shows the active filters below the search field, with buttons to remove them. */
export function AppliedFilters({ filter, onChange }: FilterProps) {
  const { model, ...others } = filter;
  return (
    <ul class="chips history-filters" aria-label={l10n.t('Filter')}>
      {filter.pinned === true && (
        <Applied text={l10n.t('Pinned')} onRemove={() => onChange(toggled(filter, 'pinned'))} />
      )}
      {filter.workspace === true && (
        <Applied text={l10n.t('Started in this workspace')} onRemove={() => onChange(toggled(filter, 'workspace'))} />
      )}
      {model !== undefined && <Applied text={model} onRemove={() => onChange(others)} />}
    </ul>
  );
}

function Applied({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <li>
      <span class="chip">
        <bdi class="chip-label">{text}</bdi>
        <RemoveButton label={text} onRemove={onRemove} />
      </span>
    </li>
  );
}

function toggled(filter: HistoryFilter, name: 'pinned' | 'workspace'): HistoryFilter {
  const { [name]: before, ...others } = filter;
  return before === true ? others : { ...others, [name]: true };
}
