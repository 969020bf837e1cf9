import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatState, ModelView } from '../../../pages/chat/protocol.ts';
import { pressKey, stepped } from '../../shared/keys.ts';
import { useStore } from '../storeContext.ts';
import { MAX_COMPARED, toggled } from './comparing.ts';
import { groupModels } from './modelList.ts';

/** State of the model picker: its rows, the active row, and the actions on them. */
export function useModelChoice({ catalog, model: inUse }: ChatState) {
  const store = useStore();
  const [filter, setFilter] = useState('');
  const groups = useMemo(() => groupModels(catalog.models, filter), [catalog.models, filter]);
  const models = groups.flatMap((group) => group.models);
  const [activeId, setActiveId] = useState(inUse);
  const active = models.find(({ id }) => id === activeId) ?? (filter === '' ? undefined : models[0]);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    return () => store.models.leave();
  }, [store]);
  const compared = store.models.compared.value;
  const [comparing, setComparing] = useState(compared.length > 0 || store.models.severalFor.value !== undefined);

  const choose = (model: ModelView | undefined) => {
    if (model === undefined) return;
    if (comparing) {
      store.models.compared.value = toggled(compared, model.id);
      return;
    }
    store.models.choose(model.id);
    store.closePopover();
  };
  const move = (step: 1 | -1) => {
    const current = active === undefined ? -1 : models.indexOf(active);
    setActiveId(models[stepped(current, step, models.length)]?.id ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) =>
    pressKey(event, {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => choose(active),
      Escape: () => store.closePopover(),
    });
  const toggleComparing = () => {
    store.models.compared.value = comparing || inUse === '' ? [] : [inUse];
    setComparing(!comparing);
    field.current?.focus();
  };
  const clearFilter = () => {
    setFilter('');
    field.current?.focus();
  };
  const isFull = compared.length === MAX_COMPARED;
  const isChosen = (id: string) => (comparing ? compared.includes(id) : id === inUse);
  return {
    inUse,
    field,
    filter,
    setFilter,
    clearFilter,
    groups,
    models,
    active,
    setActiveId,
    comparing,
    compared,
    toggleComparing,
    isChosen,
    isFull,
    choose,
    onKeyDown,
  };
}

export type ModelChoice = ReturnType<typeof useModelChoice>;
