import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../../chat/conversation/conversation.ts';
import { attachmentsOf } from '../../../../chat/conversation/entry.ts';
import { type FolderNames, Redaction } from '../../../../chat/history/htmlExport/redaction.ts';

export interface Sharing {
  readonly keys: boolean;
  readonly paths: boolean;
  /** Whether the contents of attachments are omitted. */
  readonly attachments: boolean;
}

/** Asks what to remove from the page. By default, keys and paths are removed. Returns undefined if canceled. */
export async function askRedaction(conversation: Conversation, folders: FolderNames): Promise<Sharing | undefined> {
  const all = new Redaction({ keys: true, paths: true }, folders);
  const attachments = attachmentsOf(conversation.entries);
  for (const { text } of [...conversation.entries, ...attachments]) all.redact(text);
  const items = [
    {
      id: 'keys' as const,
      label: l10n.t('Keys and passwords'),
      description: foundText(all.count.keys),
      picked: true,
    },
    {
      id: 'paths' as const,
      label: l10n.t('Paths on this machine'),
      description: foundText(all.count.paths),
      picked: true,
    },
    {
      id: 'attachments' as const,
      label: l10n.t('Contents of attachments'),
      description: foundText(attachments.length),
      picked: false,
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Export Chat as Web Page'),
    placeHolder: l10n.t('Select what to remove from the page'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  const has = (id: (typeof items)[number]['id']) => chosen?.some((item) => item.id === id) === true;
  return chosen && { keys: has('keys'), paths: has('paths'), attachments: has('attachments') };
}

function foundText(count: number): string {
  return count === 0 ? l10n.t('none found') : l10n.t('{0} found', count);
}
