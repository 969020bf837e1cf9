import * as l10n from '@vscode/l10n';
import { IconButton } from '../shared/iconButton.tsx';

interface RouteRowActionsProps {
  /** The name of the row, such as “Rule 1”. */
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly move: (step: 1 | -1) => void;
  readonly remove: () => void;
}

/** Moves or deletes a row of an ordered list. */
export function RowActions({ name, index, count, move, remove }: RouteRowActionsProps) {
  return (
    <>
      <IconButton
        icon="arrow-up"
        label={l10n.t('Move {0} Up', name)}
        shortcut="Alt+↑"
        disabled={index === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Move {0} Down', name)}
        shortcut="Alt+↓"
        disabled={index === count - 1}
        onClick={() => move(1)}
      />
      <IconButton icon="trash" label={l10n.t('Delete {0}', name)} onClick={remove} />
    </>
  );
}

/** Calls the function for Alt with an arrow key. */
export function moveByKey(event: KeyboardEvent, move: (step: 1 | -1) => void): void {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
  if (!event.altKey || step === undefined) return;
  event.preventDefault();
  move(step);
}
