import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { codeKey } from '../../../rules/codeKey.ts';
import { ActionMenu, type MenuAction } from '../../shared/actionMenu.tsx';
import { useDone } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { useHighlight } from '../../shared/useHighlight.ts';
import type { ChatStore } from '../store.ts';
import { useStore } from '../storeContext.ts';
import { applyMessage } from './codeApplying.ts';
import { codeInfo, isForTerminal } from './codeInfo.ts';
import { CopyButton } from './copyButton.tsx';
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

interface CodeActionsProps {
  readonly text: string;
  readonly info: string;
  /** True if more of the code may arrive. */
  readonly growing: boolean;
  readonly before: string | undefined;
}

/** One action that suits the code, with a label, Copy, and a menu with all other actions. */
function CodeActions(props: CodeActionsProps) {
  const { text, info, growing } = props;
  const store = useStore();
  const { main, others } = isForTerminal(text, info)
    ? terminalActions(store, text, growing)
    : fileActions(store, props);
  return (
    <>
      {!growing && <AppliedMark text={text} />}
      <MainAction {...main} />
      <CopyButton text={text} label={l10n.t('Copy code')} />
      <ActionMenu label={l10n.t('More actions for this code')} actions={others} />
    </>
  );
}

function AppliedMark({ text }: Pick<CodeActionsProps, 'text'>) {
  const key = useMemo(() => codeKey(text), [text]);
  if (!useStore().applied.value.has(key)) return null;
  return (
    <span class="code-applied">
      <Icon name="check" />
      {l10n.t('Applied')}
    </span>
  );
}

interface ActionChoice {
  readonly main: MainActionProps;
  readonly others: readonly MenuAction[];
}

/** Commands are run, and never become a file. */
function terminalActions(store: ChatStore, text: string, growing: boolean): ActionChoice {
  const run = { label: l10n.t('Run in Terminal'), disabled: growing };
  return {
    main: {
      text: run.label,
      action: { ...run, onClick: () => store.post({ type: 'runInTerminal', text }) },
    },
    others: [
      { label: l10n.t('Insert in Terminal'), onClick: () => store.post({ type: 'insertInTerminal', text }) },
      ...insertions(store, text),
    ],
  };
}

function fileActions(store: ChatStore, { text, info, growing, before }: CodeActionsProps): ActionChoice {
  const { language } = codeInfo(info);
  const apply = applyMessage(text, info, before);
  const target =
    apply.paths.find((path) => store.files.has(path)) ?? attachedLike(language, store.attached.value.split('\n'));
  // The file that the button names comes first.
  const message = target === undefined ? apply : { ...apply, paths: [...new Set([target, ...apply.paths])] };
  const applying = { label: l10n.t('Apply to file'), disabled: growing, onClick: () => store.post(message) };
  const [insert, replace] = insertions(store, text);
  const newFile = { label: l10n.t('New file'), onClick: () => store.post({ type: 'newFile', text, language }) };
  const others = [insert, replace, newFile];
  if (target !== undefined) {
    const wide = l10n.t('Apply to {0}', target.slice(target.lastIndexOf('/') + 1));
    return { main: { text: l10n.t('Apply'), wide, action: applying }, others };
  }
  return { main: mainActionOf(language, apply.paths.length > 0, applying, insert), others: [applying, ...others] };
}

/** The main action of code that belongs to no known file. */
function mainActionOf(language: string, isNamed: boolean, apply: MenuAction, insert: MenuAction): MainActionProps {
  // A diff names its files itself.
  if (language === 'diff' || language === 'patch') return { text: l10n.t('Apply'), action: apply };
  // Offers to create the file under the name that the answer gives it.
  return isNamed ? { text: l10n.t('New File'), action: apply } : { text: l10n.t('Insert'), action: insert };
}

function insertions(store: ChatStore, text: string): readonly [MenuAction, MenuAction] {
  return [
    { label: l10n.t('Insert at cursor'), onClick: () => store.post({ type: 'insertAtCursor', text }) },
    { label: l10n.t('Replace selection'), onClick: () => store.post({ type: 'replaceSelection', text }) },
  ];
}

/** Returns the one attached file in this language, if there is exactly one and the answer names none. */
function attachedLike(language: string, attached: readonly string[]): string | undefined {
  const { label } = codeInfo(language);
  const alike = attached.filter((name) => label !== '' && codeInfo(name.replace(/^.*\./, '')).label === label);
  return alike.length === 1 ? alike[0] : undefined;
}

interface MainActionProps {
  readonly text: string;
  /** The text where there is space for it. */
  readonly wide?: string;
  readonly action: MenuAction;
}

function MainAction({ text, wide = text, action: { disabled = false, onClick } }: MainActionProps) {
  const [done, showDone] = useDone();
  const act = () => {
    if (disabled) return;
    onClick();
    showDone();
  };
  return (
    <button type="button" class="code-action" aria-disabled={disabled} aria-label={wide} title={wide} onClick={act}>
      {done ? (
        l10n.t('Done')
      ) : (
        <>
          <span class="below-340">{text}</span>
          <span class="from-340">{wide}</span>
        </>
      )}
    </button>
  );
}
