import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PlanItem } from '../../../pages/chat/protocol.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';
import { useFocusAfter } from './useFocusAfter.ts';

const STATE_TEXTS: Readonly<Record<PlanItem['state'], () => string>> = {
  done: () => l10n.t('done'),
  current: () => l10n.t('current'),
  open: () => l10n.t('open'),
};

interface PlanCardProps {
  readonly plan: readonly PlanItem[];
  /** Whether the run has ended by itself. It then has no current step, and its model may not have updated the plan. */
  readonly isOver: boolean;
}

/** The model's plan. The user can edit it at any time. */
export function PlanCard({ plan: known, isOver }: PlanCardProps) {
  const plan = isOver ? known.map(withoutCurrent) : known;
  const store = useStore();
  const [editing, setEditing] = useState(false);
  const [open, toggle] = usePlanFold();
  const section = useFocusAfter(editing);
  const done = plan.filter(({ state }) => state === 'done').length;
  if (editing) {
    return (
      <section ref={section} class="plan" aria-label={l10n.t('Plan')}>
        <PlanEditor
          plan={plan}
          onClose={(changed) => {
            if (changed !== undefined) store.post({ type: 'setPlan', plan: changed });
            setEditing(false);
          }}
        />
      </section>
    );
  }
  return (
    <section ref={section} class="plan" aria-label={l10n.t('Plan')}>
      <div class="plan-head">
        <button type="button" class="plan-fold number" aria-expanded={open} onClick={toggle}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
          <span class="plan-title">{l10n.t('Plan')}</span>
          {(!isOver || done === plan.length) && (
            <span class="plan-count">{l10n.t('{0} of {1}', done, plan.length)}</span>
          )}
        </button>
        <IconButton icon="edit" label={l10n.t('Edit Plan')} onClick={() => setEditing(true)} />
      </div>
      {open && (
        <ul class="plan-items">
          {plan.map(({ text, state }, index) => (
            <li key={index} class={`plan-item ${state}`} aria-current={state === 'current' ? 'step' : undefined}>
              <Icon name={PLAN_ICONS[state]} size={14} />
              <span>{text}</span>
              <span class="hidden-text">{`, ${STATE_TEXTS[state]()}`}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function withoutCurrent(item: PlanItem): PlanItem {
  return item.state === 'current' ? { ...item, state: 'open' } : item;
}

/** In a narrow panel, the plan is folded until it is opened; in others, it is open until it is folded. */
function usePlanFold(): readonly [boolean, () => void] {
  const { memory, state } = useStore();
  const [isNarrow] = useState(() => document.documentElement.clientWidth < 340);
  const name = `plan ${isNarrow ? 'open' : 'closed'} ${state.value?.conversationId}`;
  const isChanged = memory.open.value.has(name);
  return [isNarrow ? isChanged : !isChanged, () => memory.setOpen(name, !isChanged)];
}

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
function PlanEditor({ plan, onClose }: PlanEditorProps) {
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
        <LinkButton label={l10n.t('Add Item')} onClick={add} />
        <span class="buttons">
          <button type="submit" class="button">
            {l10n.t('Save')}
          </button>
          <Button label={l10n.t('Cancel')} onClick={() => onClose()} />
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
        label={l10n.t('State: {0}', STATE_TEXTS[state]())}
        onClick={() => onChange({ state: NEXT[state] })}
      />
      <input
        type="text"
        class="text-box"
        dir="auto"
        value={text}
        aria-label={l10n.t('Plan item')}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <IconButton icon="trash" label={l10n.t('Remove {0}', text)} onClick={onRemove} />
    </li>
  );
}

const PLAN_ICONS: Readonly<Record<PlanItem['state'], string>> = {
  done: 'check',
  current: 'circle-filled',
  open: 'circle-large',
};
