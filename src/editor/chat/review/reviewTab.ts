import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Log } from '../../log/log.ts';
import { WebviewTab } from '../../webviews/webviewTab.ts';
import type { ReviewHostMessage, ReviewPageMessage } from './protocol.ts';

export type ReviewTab = WebviewTab<ReviewHostMessage, ReviewPageMessage>;

/** The tab is registered before the agent is loaded, so that the editor can restore it after a reload of the window. */
export function reviewTabOf(
  extensionUri: vscode.Uri,
  log: Log,
  receive: (message: ReviewPageMessage) => Promise<void>,
): ReviewTab {
  return new WebviewTab({
    extensionUri,
    viewType: 'modelAccess.agentReview',
    title: l10n.t('Review'),
    icon: 'diff-multiple',
    page: 'agentReview',
    log,
    reader: async () => (await import('./reviewMessages.ts')).readReviewMessage,
    receive,
  });
}
