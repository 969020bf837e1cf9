import * as l10n from '@vscode/l10n';
import { withHiddenNamed } from '../../../../display/hiddenCharacters.ts';
import type { ActionKind, ApprovalChoice, ApprovalQuestion, DiffLine } from '../../../../pages/chat/protocol.ts';
import { IconButton } from '../../../shared/iconButton.tsx';
import { useStore } from '../../storeContext.ts';
import { DiffLines, numberedRows } from '../diffLines.tsx';
import { iconOf } from '../stepText.ts';
import { Card } from './card.tsx';
import { useCardFocus } from './useCardFocus.ts';

const FILES: Readonly<Record<FileKind, FileText>> = {
  read: {
    plain: () => l10n.t('Read a file?'),
    outside: () => l10n.t('Read a file outside the workspace?'),
    ignored: () => l10n.t('Read an ignored file?'),
    secret: () => l10n.t('Read a file that may contain secrets?'),
    once: () => l10n.t('Read Once'),
  },
  edit: {
    plain: () => l10n.t('Edit a file?'),
    outside: () => l10n.t('Edit a file outside the workspace?'),
    ignored: () => l10n.t('Edit an ignored file?'),
    secret: () => l10n.t('Edit a file that may contain secrets?'),
    once: () => l10n.t('Edit Once'),
  },
  create: {
    plain: () => l10n.t('Create a file?'),
    outside: () => l10n.t('Create a file outside the workspace?'),
    ignored: () => l10n.t('Create an ignored file?'),
    secret: () => l10n.t('Create a file that may contain secrets?'),
    once: () => l10n.t('Create Once'),
  },
  rename: {
    plain: () => l10n.t('Rename a file?'),
    outside: () => l10n.t('Rename a file outside the workspace?'),
    ignored: () => l10n.t('Rename an ignored file?'),
    secret: () => l10n.t('Rename a file that may contain secrets?'),
    once: () => l10n.t('Rename Once'),
  },
  delete: {
    plain: () => l10n.t('Delete a file?'),
    outside: () => l10n.t('Delete a file outside the workspace?'),
    ignored: () => l10n.t('Delete an ignored file?'),
    secret: () => l10n.t('Delete a file that may contain secrets?'),
    once: () => l10n.t('Delete Once'),
  },
};

/** Asks whether the run may do something. After a text that gave instructions, denying is the default. */
export function ApprovalCard({ question }: { readonly question: ApprovalQuestion }) {
  const { action, folder, after, diff, input, helper } = question;
  const line = explanation(question);
  const secrets = secretsLine(question);
  return (
    <Card icon={iconOf(action)} title={approvalTitle(question)} role="alertdialog">
      {helper !== undefined && <p class="card-text">{l10n.t('The helper {0} asks', helper)}</p>}
      {after !== undefined && <p class="card-text">{l10n.t('Requested after reading {0}', after)}</p>}
      {after === undefined && folder !== undefined && <p class="card-text">{l10n.t('In the folder {0}', folder)}</p>}
      {diff === undefined ? (
        <pre class="asked">{withHiddenNamed(input === undefined ? action.object : `${action.object} ${input}`)}</pre>
      ) : (
        <AskedDiff question={question} diff={diff} />
      )}
      {secrets !== undefined && <p class="card-text">{secrets}</p>}
      <Choices question={question} />
      {line !== undefined && <p class="card-note">{line}</p>}
    </Card>
  );
}

function Choices({ question }: { readonly question: ApprovalQuestion }) {
  const store = useStore();
  const { number, choices, pattern, after } = question;
  const first = useCardFocus<HTMLButtonElement>(number, `${approvalTitle(question)} ${question.action.object}`);
  const deniesFirst = question.reason === 'instructions' || after !== undefined;
  const decide = ({ detail }: MouseEvent, choice: ApprovalChoice) => {
    // The second click of a double click can hit the next question, which nobody has read.
    if (detail > 1) return;
    store.post({ type: 'decide', question: number, choice });
    store.takeFocus();
  };
  const once = (
    <button
      key="once"
      ref={deniesFirst ? null : first}
      type="button"
      class={deniesFirst ? 'button' : 'button primary'}
      onKeyDown={pressOnce}
      onClick={(event) => decide(event, 'once')}
    >
      {onceText(question)}
    </button>
  );
  const deny = (
    <button
      key="deny"
      ref={deniesFirst ? first : null}
      type="button"
      class={deniesFirst ? 'button primary' : 'button'}
      onKeyDown={pressOnce}
      onClick={(event) => decide(event, 'deny')}
    >
      {l10n.t('Deny')}
    </button>
  );
  return (
    <div class="buttons">
      {deniesFirst ? deny : once}
      {choices.includes('chat') && (
        <button type="button" class="button" onKeyDown={pressOnce} onClick={(event) => decide(event, 'chat')}>
          {chatText(question)}
        </button>
      )}
      {choices.includes('always') && (
        <button type="button" class="button" onKeyDown={pressOnce} onClick={(event) => decide(event, 'always')}>
          <span class="button-word">{alwaysText(question)}</span>
          {pattern !== undefined && <code>{pattern}</code>}
        </button>
      )}
      {deniesFirst ? once : deny}
    </div>
  );
}

/** A key that is held down answers one question only. */
function pressOnce(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

interface AskedDiffProps {
  readonly question: ApprovalQuestion;
  readonly diff: readonly DiffLine[];
}

/** The file and what would be written to it. */
function AskedDiff({ question, diff }: AskedDiffProps) {
  const store = useStore();
  const { action, reason } = question;
  const path = action.object;
  return (
    <div class="asked-diff">
      <div class="asked-file">
        <code>{withHiddenNamed(path)}</code>
        {reason !== 'outside' && action.kind !== 'create' && (
          <IconButton
            icon="go-to-file"
            label={l10n.t('Open {0}', path)}
            onClick={() => store.post({ type: 'openFile', path })}
          />
        )}
      </div>
      <DiffLines rows={numberedRows(diff.map(namedLine))} areNumbers />
    </div>
  );
}

function namedLine(line: DiffLine): DiffLine {
  return { ...line, text: withHiddenNamed(line.text) };
}

type FileKind = 'read' | 'edit' | 'create' | 'rename' | 'delete';

interface FileText {
  readonly plain: () => string;
  readonly outside: () => string;
  readonly ignored: () => string;
  readonly secret: () => string;
  readonly once: () => string;
}

function fileText(kind: ActionKind): FileText | undefined {
  return Object.hasOwn(FILES, kind) ? FILES[kind as FileKind] : undefined;
}

function approvalTitle({ action: { kind }, reason, skill }: ApprovalQuestion): string {
  const file = fileText(kind);
  if (file !== undefined) {
    return reason === 'outside' || reason === 'ignored' || reason === 'secret' ? file[reason]() : file.plain();
  }
  if (kind === 'command' && skill !== undefined) return l10n.t('Run a command of the skill “{0}”?', skill);
  if (kind === 'command') return l10n.t('Run a command?');
  if (kind === 'fetch') return l10n.t('Fetch a page?');
  if (kind === 'tool') return l10n.t('Call a tool of another extension?');
  return l10n.t('Allow this step?');
}

function onceText({ action: { kind } }: ApprovalQuestion): string {
  if (kind === 'command') return l10n.t('Run Once');
  return fileText(kind)?.once() ?? l10n.t('Allow Once');
}

function chatText({ action: { kind } }: ApprovalQuestion): string {
  return kind === 'command' ? l10n.t('Run for This Chat') : l10n.t('Allow for This Chat');
}

function alwaysText({ action: { kind } }: ApprovalQuestion): string {
  return kind === 'command' ? l10n.t('Always Run') : l10n.t('Always Allow');
}

/** Returns the line that says that the model has not seen a part of what it asks for. */
function secretsLine({ secrets }: ApprovalQuestion): string | undefined {
  if (secrets === undefined) return undefined;
  return secrets === 1
    ? l10n.t('It contains a secret that was sealed in the request. It is used with its real value.')
    : l10n.t('It contains {0} secrets that were sealed in the request. They are used with their real values.', secrets);
}

/** Returns the line that explains the buttons: what “always” covers, or why it is asked every time. */
function explanation({ action, choices, pattern, reason }: ApprovalQuestion): string | undefined {
  switch (reason) {
    case 'outside':
      return l10n.t('You are asked every time. Files outside the workspace cannot be allowed in advance.');
    case 'ignored':
      return l10n.t('You are asked every time. Ignored files cannot be allowed in advance.');
    case 'secret':
      return l10n.t('You are asked every time. Files that may contain secrets cannot be allowed in advance.');
    case 'instructions':
      return l10n.t('Earlier approvals do not apply to this request.');
    case undefined:
      return choices.includes('always') && pattern !== undefined ? alwaysLine(action.kind, pattern) : undefined;
  }
}

function alwaysLine(kind: ActionKind, pattern: string): string {
  if (kind !== 'command') return l10n.t('“Always” applies to {0} in this workspace.', pattern);
  return pattern.endsWith('*')
    ? l10n.t(
        '“Always” applies to {0} with any arguments in this workspace, but never to a second command after it.',
        pattern.slice(0, -1),
      )
    : l10n.t('“Always” applies to {0} in this workspace, but never to a second command after it.', pattern);
}
