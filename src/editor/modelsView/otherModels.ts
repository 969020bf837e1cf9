/** Models of other extensions in this editor, as the gateway offers them to tools. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatTokensExact, formatWindow } from '../../display/tokens.ts';
import { modelsOfOthers, nameOf } from '../editorModels/modelChoice.ts';
import type { Row } from '../rows/row.ts';

export interface OtherModel {
  /** The name that tools send to the gateway: `editor/vendor/id`. */
  readonly name: string;
  readonly displayName: string;
  /** The vendor of the extension's models. */
  readonly vendor: string;
  readonly maxInputTokens: number;
  /** Whether the user has allowed its use. A command asks for this permission, not this list. */
  readonly isAllowed: boolean;
}

export async function readOtherModels(access: vscode.LanguageModelAccessInformation): Promise<OtherModel[]> {
  const models = (await modelsOfOthers()).map((model) => ({
    name: `editor/${nameOf(model)}`,
    displayName: model.name || model.id,
    vendor: model.vendor,
    maxInputTokens: model.maxInputTokens,
    isAllowed: access.canSendRequest(model) === true,
  }));
  return models.sort((a, b) => a.name.localeCompare(b.name));
}

export function otherModelsRow(models: readonly OtherModel[]): Row {
  return {
    id: 'others',
    label: l10n.t('Other extensions'),
    description: l10n.t('for tools that use the gateway'),
    tooltip: l10n.t(
      'Models that other extensions provide in this editor. Tools use them through your accounts with their providers.',
    ),
    kind: 'editorModels',
    isClosed: true,
    children: models.map(otherModelRow),
  };
}

function otherModelRow({ name, displayName, vendor, maxInputTokens, isAllowed }: OtherModel): Row {
  const consent = isAllowed ? [] : [l10n.t('not allowed yet')];
  return {
    id: `others:${name}`,
    label: displayName,
    description: [...consent, vendor, formatWindow(maxInputTokens)].join(' · '),
    tooltip: [name, l10n.t('{0} tokens', formatTokensExact(maxInputTokens)), ...consent].join('\n'),
    icon: new vscode.ThemeIcon(isAllowed ? 'extensions' : 'lock'),
    kind: isAllowed ? 'editorModel' : 'closedEditorModel',
    subject: name,
  };
}
