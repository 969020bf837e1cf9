import { useMemo } from 'preact/hooks';
import type { DiffLine } from '../../pages/chat/protocol.ts';
import { useHighlight } from '../shared/useHighlight.ts';
import { coloredLines } from './coloredLines.ts';

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
  return (
    <pre class="code-lines">
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

function LineText({ text, html }: { readonly text: string; readonly html: string | undefined }) {
  if (html === undefined) return <span class="line-text">{`${text}\n`}</span>;
  return <span class="line-text" dangerouslySetInnerHTML={{ __html: `${html}\n` }} />;
}
