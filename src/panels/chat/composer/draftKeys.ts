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
  /** A list of prompts, or of what can be attached, stands open above with something in it. */
  readonly chooses: boolean;
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
  | 'nextChoice'
  | 'previousChoice'
  | 'useChoice'
  | 'closeChoices';

/** What an input method is working on when it takes a key; some send it without `isComposing`. */
const KEY_OF_INPUT_METHOD = 229;

/** @returns what a key does, or undefined when it is the text field's own. */
export function draftAction(event: DraftKey, place: DraftPlace): DraftAction | undefined {
  if (event.isComposing || event.keyCode === KEY_OF_INPUT_METHOD) return undefined;
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
    case 'Enter':
    case 'Tab':
      return shiftKey ? undefined : 'useChoice';
    case 'Escape':
      return 'closeChoices';
    default:
      return undefined;
  }
}
