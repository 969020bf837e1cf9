import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { useDone } from '../../shared/hooks.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';
import { applyMessage } from './codeApplying.ts';
import { codeInfo } from './codeInfo.ts';
import { CopyButton } from './copyButton.tsx';
import { FileLink } from './fileLink.tsx';
import { FoldedCode } from './foldedCode.tsx';
import { GrowingHighlight } from './growingHighlight.ts';
import { useHighlight } from './useHighlight.ts';

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
  const store = useStore();
  const { language, label, file } = codeInfo(info);
  const [inserted, showInserted] = useDone();
  const insert = () => {
    store.post({ type: 'insertAtCursor', text });
    showInserted();
  };
  const lines = useMemo(() => text.split('\n').length, [text]);
  return (
    <figure class="code" aria-label={label === '' ? l10n.t('Code') : l10n.t('Code, {0}', label)}>
      <figcaption class="code-head">
        <span class="code-label">
          {label !== '' && (
            <span>{file === undefined ? label : <FileLink file={{ path: file }}>{label}</FileLink>}</span>
          )}
          {!growing && <span class="code-lines from-280">{linesText(lines)}</span>}
        </span>
        <CopyButton text={text} label={l10n.t('Copy code')} />
        <IconButton icon={inserted ? 'check' : 'insert'} label={l10n.t('Insert at cursor')} onClick={insert} />
        <IconButton
          icon="replace"
          label={l10n.t('Replace selection')}
          onClick={() => store.post({ type: 'replaceSelection', text })}
        />
        <IconButton
          icon="git-pull-request-go-to-changes"
          label={l10n.t('Apply to file')}
          disabled={growing}
          onClick={() => store.post(applyMessage(text, info, before))}
        />
        <IconButton
          icon="new-file"
          label={l10n.t('New file')}
          onClick={() => store.post({ type: 'newFile', text, language })}
        />
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
