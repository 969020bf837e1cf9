import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PlanItem } from '../../../editor/chat/protocol.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { PLAN_ICONS, planStateText } from './planState.ts';

const NEXT: Readonly<Record<PlanItem['state'], PlanItem['state']>> = { open: 'current', current: 'done', done: 'open' };

interface EditedItem extends PlanItem {
  readonly key: number;
}

interface PlanEditorProps {
  readonly plan: readonly PlanItem[];
  /** Called with the changed plan, or without one if nothing is to be changed. */
  readonly onClose: (plan?: readonly PlanItem[]) => void;
}

/** Changes the plan: its texts, their states, more or fewer of them. */
export function PlanEditor({ plan, onClose }: PlanEditorProps) {
  const [items, setItems] = useState<readonly EditedItem[]>(() => plan.map((item, key) => ({ ...item, key })));
  const list = useRef<HTMLUListElement>(null);
  const keys = useRef(plan.length);
  const focusLast = () => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus();
  useLayoutEffect(focusLast, [items.length]);
  const change = (key: number, changed: Partial<PlanItem>) =>
    setItems(items.map((item) => (item.key === key ? { ...item, ...changed } : item)));
  const add = () => {
    keys.current += 1;
    setItems([...items, { text: '', state: 'open', key: keys.current }]);
  };
  const save = () =>
    onClose(items.filter(({ text }) => text.trim() !== '').map(({ text, state }) => ({ text, state })));
  return (
    <form
      aria-label={l10n.t('Edit Plan')}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.ctrlKey || event.metaKey || event.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <ul class="plan-items editing" ref={list}>
        {items.map((item) => (
          <EditedRow
            key={item.key}
            item={item}
            onChange={(changed) => change(item.key, changed)}
            onRemove={() => setItems(items.filter(({ key }) => key !== item.key))}
          />
        ))}
      </ul>
      <div class="plan-foot">
        <button type="button" class="link" onClick={add}>
          {l10n.t('Add Item')}
        </button>
        <span class="buttons">
          <button type="submit" class="button">
            {l10n.t('Save')}
          </button>
          <button type="button" class="button" onClick={() => onClose()}>
            {l10n.t('Cancel')}
          </button>
        </span>
      </div>
    </form>
  );
}

interface EditedRowProps {
  readonly item: PlanItem;
  readonly onChange: (changed: Partial<PlanItem>) => void;
  readonly onRemove: () => void;
}

function EditedRow({ item: { text, state }, onChange, onRemove }: EditedRowProps) {
  return (
    <li class={`plan-item ${state}`}>
      <IconButton
        icon={PLAN_ICONS[state]}
        label={l10n.t('State: {0}', planStateText(state))}
        onClick={() => onChange({ state: NEXT[state] })}
      />
      <input
        type="text"
        dir="auto"
        value={text}
        aria-label={l10n.t('Plan item')}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <IconButton icon="trash" label={l10n.t('Remove {0}', text)} onClick={onRemove} />
    </li>
  );
}
