import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { DiffLine } from '../../pages/chat/protocol.ts';
import { useHighlight } from '../shared/useHighlight.ts';
import { type CharacterRange, changedWords, coloredLines } from './lineMarkup.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: '+', removed: '−' };

interface CodeLinesProps {
  readonly lines: readonly DiffLine[];
  /** The name of the file, whose ending names the language. */
  readonly file: string;
}

/** Lines with their numbers before and after the change. */
export function CodeLines({ lines, file }: CodeLinesProps) {
  const highlight = useHighlight();
  const colored = useMemo(() => highlight && coloredLines(lines, file, highlight), [lines, file, highlight]);
  const words = useMemo(() => changedWords(lines), [lines]);
  const element = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => markWords(element.current, lines, words), [words, colored]);
  return (
    <pre ref={element} class="code-lines">
      {lines.map((line, index) => (
        <span key={index} class={`code-line ${line.kind}`}>
          <span class="line-number" aria-hidden="true">
            {line.old}
          </span>
          <span class="line-number" aria-hidden="true">
            {line.new}
          </span>
          <span class="sign">{SIGNS[line.kind]}</span>
          <LineText text={line.text} html={colored?.[index]} />
        </span>
      ))}
    </pre>
  );
}

/** The editor's webviews have one set of marked ranges for the whole page, which leaves the colors of the code alone. */
const MARKS = { added: 'added-words', removed: 'removed-words' } as const;

/** Marks ranges of lines. Returns a function that removes the marks. */
function markWords(
  element: Element | null,
  lines: readonly DiffLine[],
  words: ReadonlyMap<number, CharacterRange>,
): () => void {
  const texts = element?.querySelectorAll('.line-text') ?? [];
  const marked = [...words].flatMap(([line, range]) => {
    const found = rangeIn(texts[line], range);
    return found === undefined ? [] : [{ marks: marksOf(lines[line]?.kind === 'added' ? 'added' : 'removed'), found }];
  });
  for (const { marks, found } of marked) marks.add(found);
  return () => {
    for (const { marks, found } of marked) marks.delete(found);
  };
}

function marksOf(kind: keyof typeof MARKS): Highlight {
  const marks = CSS.highlights.get(MARKS[kind]) ?? new Highlight();
  CSS.highlights.set(MARKS[kind], marks);
  return marks;
}

/** Finds characters in the text of an element, whose parts are colored. */
function rangeIn(element: Element | undefined, [from, to]: CharacterRange): Range | undefined {
  if (element === undefined) return undefined;
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let [at, hasStart] = [0, false];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { length } = node.textContent ?? '';
    if (!hasStart && from < at + length) {
      range.setStart(node, from - at);
      hasStart = true;
    }
    if (hasStart && to <= at + length) {
      range.setEnd(node, to - at);
      return range;
    }
    at += length;
  }
  return undefined;
}

function LineText({ text, html }: { readonly text: string; readonly html: string | undefined }) {
  if (html === undefined) return <span class="line-text">{`${text}\n`}</span>;
  return <span class="line-text" dangerouslySetInnerHTML={{ __html: `${html}\n` }} />;
}
