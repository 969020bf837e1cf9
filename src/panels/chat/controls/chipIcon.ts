import type { ContextChoiceView } from '../../../pages/chat/protocol.ts';

const ICONS: Readonly<Record<Exclude<ContextChoiceView['kind'], 'file'>, string>> = {
  selection: 'list-selection',
  folder: 'folder',
  problems: 'warning',
  diff: 'git-compare',
  terminal: 'terminal',
  image: 'file-media',
  address: 'globe',
  instructions: 'book',
  skill: 'lightbulb',
  tools: 'tools',
  function: 'symbol-method',
  symbol: 'symbol-interface',
};

/** Returns the codicon of an attachment or attachable item. A file's icon is derived from its label. */
export function chipIcon({ kind, label }: Pick<ContextChoiceView, 'kind' | 'label'>): string {
  if (kind !== 'file') return ICONS[kind];
  if (/\.(log|out|txt)$/i.test(label)) return 'output';
  if (/(^|[._-])(test|tests|spec)\.|^test_/i.test(label)) return 'beaker';
  return 'file-code';
}
