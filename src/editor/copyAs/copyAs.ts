import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type SnippetLanguage, toSnippet } from '../../copyAs/snippet.ts';
import { KEY_VARIABLE, type SnippetRequest } from '../../copyAs/snippetRequest.ts';
import type { BaseServices } from '../baseServices.ts';
import { ensureRunning } from '../gateway/ensureRunning.ts';

export type CopyServices = Pick<BaseServices, 'connection' | 'gateway' | 'upstream'>;

/** The request of a copied program, independent of its address. */
export type CopiedRequest = Omit<SnippetRequest, 'baseAddress'>;

interface CopyChoice extends vscode.QuickPickItem {
  readonly language?: SnippetLanguage;
  readonly goesTo?: 'gateway' | 'service';
}

/** Asks for a language and for the address to send the request to, and copies the program to the clipboard. */
export async function copyAs(services: CopyServices, request: CopiedRequest): Promise<void> {
  const { language, goesTo } = (await choose(services)) ?? {};
  if (language === undefined || goesTo === undefined) return;
  const baseAddress = await addressOf(services, goesTo);
  if (baseAddress === undefined) return;
  const text = toSnippet({ ...request, baseAddress }, language);
  await vscode.env.clipboard.writeText(text);
  await confirm(text, language, goesTo);
}

async function choose(services: CopyServices): Promise<CopyChoice | undefined> {
  return vscode.window.showQuickPick(choices(services), {
    title: l10n.t('Copy as code'),
    placeHolder: l10n.t('Reads the key from the environment variable {0}', KEY_VARIABLE),
    matchOnDescription: true,
  });
}

/** The sandbox has no address of its own, so only the gateway can reach it. */
function choices({ connection, gateway }: CopyServices): CopyChoice[] {
  const { current } = connection;
  const { state } = gateway;
  const service = current.kind === 'hosted' ? programs('service', current.baseAddress) : [];
  const place = state.state === 'running' ? state.address : l10n.t('starts the gateway');
  return [
    ...(service.length === 0 ? [] : [separator(l10n.t('Directly to the service')), ...service]),
    separator(l10n.t('Through the local gateway')),
    ...programs('gateway', place),
  ];
}

function programs(goesTo: 'gateway' | 'service', description: string): CopyChoice[] {
  return [
    { label: 'curl', language: 'curl', goesTo, description },
    { label: 'TypeScript', language: 'typescript', goesTo, description },
    { label: 'Python', language: 'python', goesTo, description },
  ];
}

function separator(label: string): CopyChoice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function addressOf(
  { connection, gateway, upstream }: CopyServices,
  goesTo: 'gateway' | 'service',
): Promise<string | undefined> {
  return goesTo === 'service' ? connection.open?.baseAddress : ensureRunning(gateway, upstream);
}

/** Offers to copy the local key. The service key is not offered along with a program. */
async function confirm(text: string, language: SnippetLanguage, goesTo: 'gateway' | 'service'): Promise<void> {
  const show = l10n.t('Show');
  const copyKey = l10n.t('Copy Local Key');
  const message =
    goesTo === 'gateway'
      ? l10n.t('Copied. Set the environment variable {0} to a local key before you run the code.', KEY_VARIABLE)
      : l10n.t('Copied. Set the environment variable {0} to the service key before you run the code.', KEY_VARIABLE);
  const choice = await vscode.window.showInformationMessage(message, show, ...(goesTo === 'gateway' ? [copyKey] : []));
  if (choice === copyKey) await vscode.commands.executeCommand('modelAccess.copyGatewayKey');
  if (choice !== show) return;
  const document = await vscode.workspace.openTextDocument({ content: text, language: LANGUAGE_IDS[language] });
  await vscode.window.showTextDocument(document);
}

const LANGUAGE_IDS = { curl: 'shellscript', typescript: 'typescript', python: 'python' } as const;
