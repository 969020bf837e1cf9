import { isComposing } from '../../shared/keys.ts';

/** The keys of the composer's text field. */
export interface DraftKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

export interface CursorPosition {
  /** True if the cursor is before the first character and nothing is selected. */
  readonly atStart: boolean;
  readonly isEmpty: boolean;
  /** True if a non-empty list of prompts or attachable items is open. */
  readonly chooses: boolean;
  readonly hasChips: boolean;
  /** True if the last chip is selected, so that the next Backspace removes it. */
  readonly chipSelected: boolean;
}

export type DraftAction =
  | 'send'
  | 'stop'
  | 'editLast'
  | 'selectChip'
  | 'removeChip'
  | 'nextChoice'
  | 'previousChoice'
  | 'firstChoice'
  | 'lastChoice'
  | 'useChoice'
  | 'closeChoices';

/** Returns the action of a key, or undefined if the text field handles the key. */
export function draftAction(event: DraftKey, place: CursorPosition): DraftAction | undefined {
  if (isComposing(event)) return undefined;
  const choice = place.chooses ? choiceAction(event) : undefined;
  if (choice !== undefined) return choice;
  switch (event.key) {
    case 'Enter':
      return event.shiftKey || event.altKey ? undefined : 'send';
    case 'Escape':
      return 'stop';
    case 'ArrowUp':
      return place.isEmpty && !event.shiftKey && !event.altKey ? 'editLast' : undefined;
    case 'Backspace':
      if (!place.atStart || !place.hasChips) return undefined;
      return place.chipSelected ? 'removeChip' : 'selectChip';
    default:
      return undefined;
  }
}

function choiceAction({ key, shiftKey }: DraftKey): DraftAction | undefined {
  switch (key) {
    case 'ArrowDown':
      return 'nextChoice';
    case 'ArrowUp':
      return 'previousChoice';
    case 'Home':
      return shiftKey ? undefined : 'firstChoice';
    case 'End':
      return shiftKey ? undefined : 'lastChoice';
    case 'Enter':
    case 'Tab':
      return shiftKey ? undefined : 'useChoice';
    case 'Escape':
      return 'closeChoices';
    default:
      return undefined;
  }
}
