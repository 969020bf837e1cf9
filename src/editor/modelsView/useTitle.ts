import * as l10n from '@vscode/l10n';
import type { ModelUse } from '../models/modelUses.ts';

export function useTitle(use: ModelUse): string {
  switch (use) {
    case 'chat':
      return l10n.t('New chats');
    case 'explain':
      return l10n.t('Code commands');
    case 'commitMessage':
      return l10n.t('Commit messages');
  }
}
