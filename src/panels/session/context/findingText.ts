import * as l10n from '@vscode/l10n';
import { formatTokens } from '../../../display/tokens.ts';
import type { ContextFinding } from '../../../pages/session/context/protocol.ts';

/** Describes a finding in one sentence. */
export function findingText(finding: ContextFinding, names: Readonly<Record<string, string>>): string {
  const { kind, name, requests, tokens } = finding;
  const size = formatTokens(tokens);
  const what = sourceText(finding, names);
  switch (kind) {
    case 'unused_server':
      return l10n.t('The tools of the server {0} were defined in {1} requests and never called.', name, requests);
    case 'unused_tool':
      return l10n.t('The tool {0} was defined in {1} requests and never called.', name, requests);
    case 'repeated_result':
      return l10n.t('The result of {0} was in the context twice or more.', what);
    case 'repeated_instructions':
      return l10n.t('The instructions in {0} were in the context twice or more.', name);
    case 'unused_result':
      return l10n.t(
        'The result of {0} ({1} tokens) was carried through {2} further requests, and nothing mentions it.',
        what,
        size,
        requests,
      );
    case 'carried_image':
      return l10n.t('An image ({0} tokens) was carried through {1} further requests.', size, requests);
    case 'tools_changed':
      return name === ''
        ? l10n.t('Tool definitions changed, so that the cache missed.')
        : l10n.t('The definitions of {0} changed, so that the cache missed.', name);
    case 'compaction_cost':
      return l10n.t('A compaction removed {0} tokens and wrote the rest to the cache again.', size);
    case 'compaction_saved':
      return l10n.t('After the compaction, {0} requests did not carry {1} tokens.', requests, size);
  }
}

/** The tool, with the file or command if its name is known. */
export function sourceText(
  { name = '', file }: { readonly name?: string; readonly file?: string },
  names: Readonly<Record<string, string>>,
): string {
  const known = file === undefined ? undefined : names[file];
  if (known === undefined) return name === '' ? l10n.t('a tool') : name;
  return `${name} ${known.split(/[\\/]/).slice(-2).join('/')}`.trim();
}
