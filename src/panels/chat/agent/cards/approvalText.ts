/** The text of an approval card. */
import * as l10n from '@vscode/l10n';
import type { ActionKind, ApprovalQuestion } from '../../../../pages/chat/protocol.ts';

type FileKind = 'read' | 'edit' | 'create' | 'rename' | 'delete';

interface FileText {
  readonly plain: () => string;
  readonly outside: () => string;
  readonly ignored: () => string;
  readonly secret: () => string;
  readonly once: () => string;
}

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

function fileText(kind: ActionKind): FileText | undefined {
  return Object.hasOwn(FILES, kind) ? FILES[kind as FileKind] : undefined;
}

export function approvalTitle({ action: { kind }, reason, skill }: ApprovalQuestion): string {
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

export function onceText({ action: { kind } }: ApprovalQuestion): string {
  if (kind === 'command') return l10n.t('Run Once');
  return fileText(kind)?.once() ?? l10n.t('Allow Once');
}

export function chatText({ action: { kind } }: ApprovalQuestion): string {
  return kind === 'command' ? l10n.t('Run for This Chat') : l10n.t('Allow for This Chat');
}

export function alwaysText({ action: { kind } }: ApprovalQuestion): string {
  return kind === 'command' ? l10n.t('Always Run') : l10n.t('Always Allow');
}

/** Returns the line that says that the model has not seen a part of what it asks for. */
export function secretsLine({ secrets }: ApprovalQuestion): string | undefined {
  if (secrets === undefined) return undefined;
  return secrets === 1
    ? l10n.t('It contains a secret that was sealed in the request. It is used with its real value.')
    : l10n.t('It contains {0} secrets that were sealed in the request. They are used with their real values.', secrets);
}

/** Returns the line that explains the buttons: what “always” covers, or why it is asked every time. */
export function explanation({ action, choices, pattern, reason }: ApprovalQuestion): string | undefined {
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
