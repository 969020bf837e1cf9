/** The texts of the prompts that an empty chat offers. The sandbox recognizes how the prompts begin. */
import * as l10n from '@vscode/l10n';
import type { StarterView } from '../../pages/chat/protocol.ts';
import type { Attachment } from '../conversation/record.ts';
import { builtInPrompt } from './codePromptTexts.ts';
import { fillIn } from './prompt.ts';

type StarterId = StarterView['id'];
type NamedFile = Pick<Attachment, 'label' | 'path'>;

export const QUESTIONS: readonly StarterId[] = ['explain', 'table', 'improve'];
/** What Agent mode offers. */
export const TASKS: readonly StarterId[] = ['fix', 'tests', 'readme'];

interface Starter extends Omit<StarterView, 'id'> {
  /** The title of a chat that begins with this prompt in the sandbox, where no model writes one. */
  readonly chatTitle: string;
  readonly draft: string;
}

/** The agent looks for the file by its path. */
const STARTERS: Readonly<Record<StarterId, (file: NamedFile) => Starter>> = {
  explain: ({ label }) => ({
    title: l10n.t('Explain {0}', label),
    detail: l10n.t('Attaches the file and counts its tokens'),
    chatTitle: l10n.t('How {0} computes prices', label),
    draft: fillIn(builtInPrompt('explain'), { selection: `\`${label}\`` }),
  }),
  table: ({ label }) => ({
    title: l10n.t('Summarize {0} in a table', label),
    detail: l10n.t('Answers with headings, a table, and a formula'),
    chatTitle: l10n.t('What {0} contains', label),
    draft: l10n.t(
      'Summarize {0}: a heading for each part, a table of what it contains, and a formula for one thing that it computes.',
      `\`${label}\``,
    ),
  }),
  improve: ({ label }) => ({
    title: l10n.t('Improve {0}', label),
    detail: l10n.t('Proposes an edit that you review'),
    chatTitle: l10n.t('An improvement of {0}', label),
    draft: l10n.t(
      'Improve {0}: fix a bug or a case that it does not handle, or make one part clearer if there is none. Say briefly what you change and why, then answer with all of {0} in one fenced code block.',
      `\`${label}\``,
    ),
  }),
  fix: ({ label, path }) => ({
    title: l10n.t('Fix a bug in {0}', label),
    detail: l10n.t('Edits the code and runs the tests'),
    chatTitle: l10n.t('A bug in {0} and its test', label),
    draft: l10n.t(
      'Find a bug in {0} or a case that it does not handle. Fix it, add a test for it, and run the tests.',
      `\`${path}\``,
    ),
  }),
  tests: ({ label, path }) => ({
    title: l10n.t('Write tests for {0}', label),
    detail: l10n.t('Adds tests and runs them'),
    chatTitle: l10n.t('Missing tests for {0}', label),
    draft: l10n.t(
      'Write tests for {0} that are missing: usual cases and edge cases. Follow the existing tests, and run them.',
      `\`${path}\``,
    ),
  }),
  readme: () => ({
    title: l10n.t('Update the README'),
    detail: l10n.t('Reads the code and edits one file'),
    chatTitle: l10n.t('A new README'),
    draft: l10n.t(
      'Update the README: what the code does, what its files are for, and how to run its tests. Keep the rest as it is.',
    ),
  }),
};

export function starterOf(id: StarterId, file: NamedFile): Starter {
  return STARTERS[id](file);
}
