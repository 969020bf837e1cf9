import * as l10n from '@vscode/l10n';
import type { DecidedChange, FileChange } from '../../pages/agentReview/protocol.ts';

export function leftText(left: number, all: number): string {
  return all === 1 ? l10n.t('{0} of 1 change to review', left) : l10n.t('{0} of {1} changes to review', left, all);
}

/** What was decided, and where. */
export function placeText({ lines }: DecidedChange): string {
  if (lines === undefined) return l10n.t('whole file');
  const [first, last] = lines;
  return first === last ? l10n.t('line {0}', first) : l10n.t('lines {0} to {1}', first, last);
}

const WHOLE_TEXTS: Readonly<Partial<Record<FileChange, () => string>>> = {
  created: () => l10n.t('The file was created.'),
  deleted: () => l10n.t('The file was deleted.'),
  renamed: () => l10n.t('The file was renamed.'),
};

/** What happened to a file that is not reviewed change by change. */
export const wholeText = (change: FileChange): string =>
  WHOLE_TEXTS[change]?.() ?? l10n.t('The file is not text. It can be accepted or discarded as a whole.');
