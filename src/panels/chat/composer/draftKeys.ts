/** The keys of the composer's text field. */
export interface DraftKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

export interface DraftPlace {
  /** The cursor is before the first character and nothing is selected. */
  readonly atStart: boolean;
  readonly isEmpty: boolean;
  /** The list of prompts stands open above. */
  readonly choosesPrompt: boolean;
  readonly hasChips: boolean;
  /** The last chip is the one that the next Backspace removes. */
  readonly chipSelected: boolean;
}

export type DraftAction =
  | 'send'
  | 'stop'
  | 'editLast'
  | 'selectChip'
  | 'removeChip'
  | 'nextPrompt'
  | 'previousPrompt'
  | 'usePrompt'
  | 'closePrompts';

/** What an input method is working on when it takes a key; some send it without `isComposing`. */
const KEY_OF_INPUT_METHOD = 229;

/** @returns what a key does, or undefined when it is the text field's own. */
export function draftAction(event: DraftKey, place: DraftPlace): DraftAction | undefined {
  if (event.isComposing || event.keyCode === KEY_OF_INPUT_METHOD) return undefined;
  const choice = place.choosesPrompt ? promptAction(event) : undefined;
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

function promptAction({ key, shiftKey }: DraftKey): DraftAction | undefined {
  switch (key) {
    case 'ArrowDown':
      return 'nextPrompt';
    case 'ArrowUp':
      return 'previousPrompt';
    case 'Enter':
      return shiftKey ? undefined : 'usePrompt';
    case 'Escape':
      return 'closePrompts';
    default:
      return undefined;
  }
}
