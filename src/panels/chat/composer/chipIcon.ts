import type { AttachmentView } from '../../../editor/chat/protocol.ts';

/** The codicon of an attachment's chip, told from its label. */
export function chipIcon({ kind, label }: AttachmentView): string {
  if (kind === 'selection') return 'list-selection';
  if (/\.(log|out|txt)$/i.test(label)) return 'output';
  if (/(^|[._-])(test|tests|spec)\.|^test_/i.test(label)) return 'beaker';
  return 'file-code';
}
