import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import { sessionLines } from '../../pages/session/sessionLines.ts';
import { harOf } from '../traffic/har.ts';
import { readRecorded } from '../traffic/recorded.ts';
import type { SessionServices } from './sessionServices.ts';

/**
 * Asks for the format and the file, and writes the requests of a session.
 * @param rows The oldest first.
 */
export async function exportSession(rows: readonly ExchangeRow[], services: SessionServices): Promise<void> {
  const forms = [
    { label: l10n.t('JSON Lines'), description: l10n.t('Figures for each request, without bodies'), ending: 'jsonl' },
    { label: l10n.t('HTTP Archive'), description: l10n.t('With headers and captured bodies'), ending: 'har' },
  ] as const;
  const form = await vscode.window.showQuickPick(forms, { title: l10n.t('Export Session') });
  if (form === undefined) return;
  const name = `${nameOf(rows)}.${form.ending}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
  const target = await vscode.window.showSaveDialog({ filters: { [form.label]: [form.ending] }, defaultUri });
  if (target === undefined) return;
  const text = form.ending === 'jsonl' ? sessionLines(rows) : await archiveOf(rows, services);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = l10n.t('Open');
  const choice = await vscode.window.showInformationMessage(l10n.t('Saved as {0}.', name), open);
  if (choice === open) await vscode.window.showTextDocument(target);
}

async function archiveOf(rows: readonly ExchangeRow[], services: SessionServices): Promise<string> {
  const recorded = await Promise.all(rows.map((row) => readRecorded(services, row)));
  return `${JSON.stringify(harOf(recorded), undefined, 2)}\n`;
}

function nameOf([first]: readonly ExchangeRow[]): string {
  const time = new Date(first?.at ?? 0).toISOString().slice(0, 19).replaceAll(':', '-');
  return `session-${first?.sessionId ?? ''}-${time}`;
}
