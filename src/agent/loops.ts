/** Recognizes that a run repeats itself. */
import { createHash } from 'node:crypto';
import type { LoopStep, LoopView } from '../pages/chat/protocol.ts';
import { firstLine, lastLines } from './cutText.ts';
import { changeOf } from './replaceText.ts';

/** How often the same call must have had the same result. */
const SAME_CALLS = 3;
/** How often a file must have returned to an earlier text. */
const RETURNS = 2;

/** How many edits of the file are shown, how many lines of each, and of a result. */
const SHOWN_EDITS = 3;
const SHOWN_LINES = 6;

export interface FinishedCall {
  readonly step: number;
  /** The name and the arguments. */
  readonly call: string;
  /** What it acted on, for the user. */
  readonly object: string;
  readonly result: string;
  readonly cost?: number;
  /** The file that it changed, with its text before and after. */
  readonly edit?: { readonly path: string; readonly before: string; readonly after: string };
}

/** The texts of a file so far, and what was done to it. */
interface FileHistory {
  readonly seen: Set<string>;
  readonly edits: LoopStep[];
  returns: number;
}

/** The calls of a run since the user last decided something. */
export class Loops {
  readonly #calls = new Map<string, LoopStep[]>();
  readonly #files = new Map<string, FileHistory>();
  /** The user chose to continue: this many more loops are allowed. */
  #allowed = 0;

  /** Clears the history, because the user has sent a new message. */
  reset(): void {
    this.#calls.clear();
    this.#files.clear();
    this.#allowed = 0;
  }

  /** The user chose to continue. */
  allow(rounds: number): void {
    this.#allowed = rounds;
  }

  /** Returns the loop that this call completes. */
  record(seen: FinishedCall): LoopView | undefined {
    const loop = this.#sameCall(seen) ?? this.#undoneEdit(seen);
    if (loop === undefined) return undefined;
    if (this.#allowed === 0) return loop;
    this.#allowed -= 1;
    return undefined;
  }

  #sameCall({ call, result, ...seen }: FinishedCall): LoopView | undefined {
    const key = digest(`${call}\0${result}`);
    const steps = [...(this.#calls.get(key) ?? []), stepOf(seen)];
    this.#calls.set(key, steps);
    if (steps.length < SAME_CALLS) return undefined;
    const isShort = !result.trim().includes('\n');
    const shown = isShort ? {} : { result: lastLines(result, SHOWN_LINES) };
    return { kind: 'sameCall', detail: firstLine(result), ...shown, steps: steps.slice(-SAME_CALLS) };
  }

  #undoneEdit({ edit, ...seen }: FinishedCall): LoopView | undefined {
    if (edit === undefined) return undefined;
    const { path, before, after } = edit;
    const file = this.#files.get(path) ?? { seen: new Set([digest(before)]), edits: [], returns: 0 };
    this.#files.set(path, file);
    file.edits.push({ ...stepOf(seen), diff: changeOf(before, after, 0).lines.slice(0, SHOWN_LINES) });
    const version = digest(after);
    if (!file.seen.has(version)) {
      file.seen.add(version);
      return undefined;
    }
    file.returns += 1;
    if (file.returns < RETURNS) return undefined;
    return { kind: 'undoneEdits', detail: path, steps: file.edits.slice(-SHOWN_EDITS) };
  }
}

function stepOf({ step, object, cost }: Pick<FinishedCall, 'step' | 'object' | 'cost'>): LoopStep {
  return { step, object, ...(cost !== undefined && { cost }) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
