import { isDeepStrictEqual } from 'node:util';
import { diffWordsWithSpace } from 'diff';
import { parseJson } from '../../../formats/json.ts';
import type { AnswerComparison, CallView, TextSegment } from './protocol.ts';
import type { ReplayContent } from './readAnswer.ts';

/** Texts with more differences have nothing in common that would be worth showing, and take long to compare. */
const MAX_DIFFERENCES = 1_500;
/** Less text in common between two differences is part of the difference, because single words would only distract. */
const MIN_COMMON = 4;

export interface ComparedSide {
  readonly segments: readonly TextSegment[];
  readonly calls: readonly CallView[];
}

export interface ComparedAnswers {
  readonly recorded: ComparedSide;
  readonly replayed: ComparedSide;
  readonly comparison: AnswerComparison;
}

/** Marks what two answers do not have in common. */
export function compareAnswers(recorded: ReplayContent, replayed: ReplayContent): ComparedAnswers {
  const texts = compareTexts(recorded.text, replayed.text);
  return {
    recorded: { segments: texts.recorded, calls: markedCalls(recorded, replayed) },
    replayed: { segments: texts.replayed, calls: markedCalls(replayed, recorded) },
    comparison: comparisonOf(recorded, replayed),
  };
}

/** An answer without another one to compare it with. */
export function unmarked({ text, calls }: ReplayContent): ComparedSide {
  return { segments: segment(text, false), calls };
}

function comparisonOf(a: ReplayContent, b: ReplayContent): AnswerComparison {
  const isSameText = a.text.trim() === b.text.trim();
  if (a.calls.length === 0 && b.calls.length === 0) return isSameText ? 'same' : 'otherText';
  const names = (answer: ReplayContent) => answer.calls.map(({ name }) => name);
  if (!isDeepStrictEqual(names(a), names(b))) return 'otherCalls';
  if (!a.calls.every((call, index) => isSameCall(call, b.calls[index]))) return 'otherArguments';
  return isSameText ? 'same' : 'sameCalls';
}

/** Calls of one answer are compared with those at the same place of the other. */
function markedCalls({ calls }: ReplayContent, other: ReplayContent): CallView[] {
  return calls.map((call, index) => (isSameCall(call, other.calls[index]) ? call : { ...call, differs: true }));
}

/** The order of members and spaces in JSON do not matter. */
function isSameCall(a: CallView, b: CallView | undefined): boolean {
  return b !== undefined && a.name === b.name && isDeepStrictEqual(parsed(a), parsed(b));
}

/** Arguments that are not JSON are compared as text. */
function parsed({ arguments: written }: CallView): unknown {
  return parseJson(written) ?? written;
}

function compareTexts(a: string, b: string): Record<'recorded' | 'replayed', TextSegment[]> {
  const changes = diffWordsWithSpace(a, b, { maxEditLength: MAX_DIFFERENCES });
  if (changes === undefined) return { recorded: segment(a, true), replayed: segment(b, true) };
  const [recorded, replayed]: [TextSegment[], TextSegment[]] = [[], []];
  for (const [index, { value, added, removed }] of changes.entries()) {
    const isBetween = index > 0 && index < changes.length - 1;
    const isCommon = !added && !removed && (!isBetween || value.trim().length >= MIN_COMMON);
    if (!added) append(recorded, value, !isCommon);
    if (!removed) append(replayed, value, !isCommon);
  }
  return { recorded, replayed };
}

function append(segments: TextSegment[], text: string, differs: boolean): void {
  const last = segments.at(-1);
  if (last !== undefined && (last.differs === true) === differs) {
    segments[segments.length - 1] = { ...last, text: last.text + text };
  } else {
    segments.push(...segment(text, differs));
  }
}

function segment(text: string, differs: boolean): TextSegment[] {
  if (text === '') return [];
  return [{ text, ...(differs && { differs: true }) }];
}
