import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { useHighlight } from '../../shared/useHighlight.ts';
import { CodeActions } from './codeActions.tsx';
import { codeInfo } from './codeInfo.ts';
import { FileLink } from './fileLink.tsx';
import { FoldedCode } from './foldedCode.tsx';
import { GrowingHighlight } from './growingHighlight.ts';

interface CodeBlockProps {
  readonly text: string;
  /** The info string after the opening fence. */
  readonly info: string;
  /** True if more of it may arrive. */
  readonly growing: boolean;
  /** The text before the block, which may name the file that the code belongs to. */
  readonly before?: string | undefined;
}

export function CodeBlock({ text, info, growing, before }: CodeBlockProps) {
  const { language, label, file } = codeInfo(info);
  const lines = useMemo(() => text.split('\n').length, [text]);
  return (
    <figure class="code" aria-label={label === '' ? l10n.t('Code') : l10n.t('Code, {0}', label)}>
      <figcaption class="code-head">
        <span class="code-label">
          {label !== '' && (
            <span>{file === undefined ? label : <FileLink file={{ path: file }}>{label}</FileLink>}</span>
          )}
          {!growing && <span class="code-lines from-340">{linesText(lines)}</span>}
        </span>
        <CodeActions text={text} info={info} growing={growing} before={before} />
      </figcaption>
      <FoldedCode text={text} lines={lines} isWhole={!growing}>
        {(shown) => <Code text={shown} language={language} growing={growing} />}
      </FoldedCode>
    </figure>
  );
}

function linesText(lines: number): string {
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
}

interface CodeProps {
  readonly text: string;
  readonly language: string;
  readonly growing: boolean;
}

function Code({ text, language, growing }: CodeProps) {
  const highlight = useHighlight();
  const highlighter = useMemo(() => highlight && new GrowingHighlight(highlight, () => performance.now()), [highlight]);
  const highlighted = highlighter?.next(text, language, growing);
  if (highlighted === undefined) return <code>{text}</code>;
  return (
    <code>
      <span dangerouslySetInnerHTML={{ __html: highlighted.html }} />
      {highlighted.tail}
    </code>
  );
}
