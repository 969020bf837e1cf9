import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { PlanItem } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';
import { PlanEditor } from './planEditor.tsx';
import { PLAN_ICONS, planStateText } from './planState.ts';
import { useFocusAfter } from './useFocusAfter.ts';

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
              <span class="hidden-text">{`, ${planStateText(state)}`}</span>
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
