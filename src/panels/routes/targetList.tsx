import * as l10n from '@vscode/l10n';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { Problem, TextField } from '../shared/textField.tsx';
import { Health } from './health.tsx';
import { moved } from './moved.ts';
import { moveByKey, RowActions } from './rowActions.tsx';
import { useStore } from './store.ts';

interface TargetListProps {
  /** The path of the list in its route, such as `use` or `when.0.use`. */
  readonly path: string;
  readonly targets: readonly string[];
  readonly onChange: (targets: readonly string[]) => void;
}

/** Targets in the order in which they are tried. Alt with the arrow keys moves one. */
export function TargetList({ path, targets, onChange }: TargetListProps) {
  const store = useStore();
  const missing = store.problemOf(path);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= targets.length) return;
    onChange(moved(targets, from, to));
    store.toFocus.value = `${path}.${to}`;
  };
  const add = () => {
    onChange([...targets, '']);
    store.toFocus.value = `${path}.${targets.length}`;
  };
  const remove = (index: number) => {
    onChange(targets.filter((_, at) => at !== index));
    store.toFocus.value = targets.length === 1 ? `${path}.add` : `${path}.${Math.min(index, targets.length - 2)}`;
  };
  return (
    <>
      <ol class="rows">
        {targets.map((target, index) => (
          <Target
            key={index}
            {...{ path, target, index, count: targets.length, move, remove }}
            onInput={(text) => onChange(targets.map((each, at) => (at === index ? text : each)))}
          />
        ))}
      </ol>
      {missing !== undefined && (
        <p class="hint problem">
          <Problem text={missing.text} />
        </p>
      )}
      <button
        id={`${path}.add`}
        type="button"
        class="link add-row"
        aria-invalid={missing !== undefined || undefined}
        onClick={add}
      >
        <Icon name="add" size={14} />
        {l10n.t('Add Target')}
      </button>
    </>
  );
}

interface TargetProps {
  readonly path: string;
  readonly target: string;
  readonly index: number;
  readonly count: number;
  readonly move: (from: number, to: number) => void;
  readonly remove: (index: number) => void;
  readonly onInput: (text: string) => void;
}

function Target({ path, target, index, count, move, remove, onInput }: TargetProps) {
  const store = useStore();
  const id = `${path}.${index}`;
  const problem = store.problemOf(id);
  const { suggestion } = problem ?? {};
  const name = l10n.t('Target {0}', index + 1);
  const moveBy = (step: 1 | -1) => move(index, index + step);
  return (
    <li class="target" onKeyDown={(event) => moveByKey(event, moveBy)}>
      <span class="number" aria-hidden="true">
        {index + 1}
      </span>
      <div class="target-field">
        <TextField
          id={id}
          label={name}
          hidesLabel
          value={target}
          list="targets"
          placeholder={l10n.t('Model, upstream/model, or route')}
          hint={store.detailOf(target)}
          problem={problem?.text}
          onInput={onInput}
        />
        <Health target={target} />
        {suggestion !== undefined && (
          <LinkButton label={l10n.t('Use “{0}”', suggestion)} onClick={() => onInput(suggestion)} />
        )}
      </div>
      <RowActions {...{ name, index, count }} move={moveBy} remove={() => remove(index)} />
    </li>
  );
}
