import * as l10n from '@vscode/l10n';
import type { ModelUse } from '../models/modelUses.ts';

const TITLES: Readonly<Record<ModelUse, () => string>> = {
  chat: () => l10n.t('New chats'),
  explain: () => l10n.t('Code commands'),
  commitMessage: () => l10n.t('Commit messages'),
};

export const useTitle = (use: ModelUse): string => TITLES[use]();
