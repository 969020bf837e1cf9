import * as l10n from '@vscode/l10n';

/** The commands on code. Each has a prompt of the same name, which a file of that name in the library replaces. */
export const CODE_PROMPTS = ['explain', 'document', 'tests', 'fix', 'commit-message'] as const;
export type CodePromptName = (typeof CODE_PROMPTS)[number];

/**
 * All prompts except `explain` are in English, regardless of the editor's language, because their results become part
 * of the project.
 */
const BODIES: Readonly<Record<Exclude<CodePromptName, 'explain'>, string>> = {
  document: lines(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
    'Document ${selection}: write or improve its documentation comments in the usual style of the language, and say in',
    'comments why something is done where the code does not show it. Change nothing else.',
    '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
    'Answer with all of ${selection}, comments included and with its indentation, in one fenced code block.',
  ),
  tests: lines(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
    'Write tests for ${selection}: the usual cases, edge cases, and errors. Use the test framework that the code or its',
    'file points to, otherwise the most common one for the language. Titles say what is expected.',
    '',
    'Answer with one complete test file in one fenced code block.',
  ),
  fix: lines(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
    'Fix what the editor reports in ${selection}. Change no more than necessary, and leave working code as it is.',
    '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
    'Answer with all of ${selection}, fixed and with its indentation, in one fenced code block.',
  ),
  'commit-message': lines(
    'Write a commit message for these changes: a first line in the imperative mood, of at most 72 characters and',
    'without a period; if more needs to be said, an empty line and a short text that explains why.',
    '',
    'Answer with the message only, without a code block.',
  ),
};

export function builtInPrompt(name: CodePromptName): string {
  if (name !== 'explain') return BODIES[name];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
  return l10n.t('Explain {0}: what it does, how it works, and what to watch out for.', '${selection}');
}

const DESCRIPTIONS: Readonly<Record<CodePromptName, () => string>> = {
  explain: () => l10n.t('Explain code in the chat'),
  document: () => l10n.t('Document code in place'),
  tests: () => l10n.t('Write tests in a new file'),
  fix: () => l10n.t('Fix a problem in place'),
  'commit-message': () => l10n.t('Write a commit message'),
};

/** Describes the command for pick lists. */
export const describePrompt = (name: CodePromptName): string => DESCRIPTIONS[name]();

function lines(...text: readonly string[]): string {
  return text.join('\n');
}
