import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ReviewDecision, ReviewHostMessage } from '../../../pages/agentReview/protocol.ts';
import type { ReviewPageMessage } from '../../../pages/agentReview/reviewMessages.ts';
import type { CommandTable } from '../../commands/commands.ts';
import type { Log } from '../../log/log.ts';
import { followed, WebviewTab } from '../../webviews/webviewTab.ts';

export type ReviewTab = WebviewTab<ReviewHostMessage, ReviewPageMessage>;

/**
 * A tab is registered before what it shows is loaded, so that the editor can restore it after a reload of the window.
 * The changes of a run and those that an answer proposes have tabs of their own, so that neither replaces the other.
 */
export function reviewTabOf(
  extensionUri: vscode.Uri,
  viewType: 'modelAccess.agentReview' | 'modelAccess.proposalReview',
  log: Log,
  receive: (message: ReviewPageMessage) => Promise<void>,
): ReviewTab {
  return new WebviewTab({
    extensionUri,
    viewType,
    title: l10n.t('Review'),
    icon: 'diff-multiple',
    page: 'agentReview',
    log,
    reader: async () => (await import('../../../pages/agentReview/reviewMessages.ts')).readReviewMessage,
    load: () => followed(receive),
  });
}

/** The commands of the review in front. Its page has the keys for single changes. */
export function reviewCommands(tabs: readonly ReviewTab[]): CommandTable {
  const decideAll = (decision: ReviewDecision) => ({
    run: async () => (await tabs.find(({ isActive }) => isActive)?.content)?.receive({ type: 'decideAll', decision }),
  });
  return {
    'modelAccess.acceptAllChanges': decideAll('accepted'),
    'modelAccess.discardAllChanges': decideAll('discarded'),
  };
}
