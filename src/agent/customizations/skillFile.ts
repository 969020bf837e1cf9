/** Skills, by the specification of agentskills.io. */
import * as l10n from '@vscode/l10n';
import { type FileProblem, readFrontMatter, textOf } from '../../chat/prompts/frontMatter.ts';
import { baseName, folderOf } from '../../files/paths.ts';
import { defined } from '../../formats/json.ts';

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const VALID_NAME = /^[\p{Ll}\p{N}]+(?:-[\p{Ll}\p{N}]+)*$/u;

export interface SkillFile {
  readonly name: string;
  /** What it does and when to use it. */
  readonly description: string;
  /** What it needs, such as a program. */
  readonly compatibility?: string;
  /** The text for the model. */
  readonly body: string;
  /** Whether the person can use it with a slash. */
  readonly isForPerson: boolean;
  /** Whether the model knows of it, and can read it. */
  readonly isForModel: boolean;
  /** A skill with an error is not used: the model could not choose it. */
  readonly problems: readonly FileProblem[];
}

/** Reads a `SKILL.md`. Its name counts even if it breaks the rules for names, because other tools read such skills, too. */
export function readSkillFile(source: string, path: string): SkillFile {
  const { values, body, problems, lineOf } = readFrontMatter(source);
  const folder = baseName(folderOf(path));
  const name = textOf(values.name);
  const description = textOf(values.description) ?? '';
  return {
    name: name ?? folder,
    description: description.slice(0, MAX_DESCRIPTION),
    body,
    isForPerson: values['user-invocable'] !== false,
    isForModel: values['disable-model-invocation'] !== true,
    problems: [
      ...problems,
      ...(problems.length > 0
        ? []
        : [...nameProblems(name, folder, lineOf), ...descriptionProblems(description, lineOf)]),
    ],
    ...defined({ compatibility: textOf(values.compatibility) }),
  };
}

type LineOf = (name: string) => number;

function nameProblems(name: string | undefined, folder: string, lineOf: LineOf): FileProblem[] {
  const line = lineOf('name');
  const warning = (message: string): FileProblem[] => [{ line, message, severity: 'warning' }];
  if (name === undefined) return warning(l10n.t('The skill has no “name”. Its folder’s name is used.'));
  if (name.length > MAX_NAME || !VALID_NAME.test(name)) {
    return warning(
      l10n.t(
        'The name of a skill has at most {0} characters: lowercase letters, digits, and single hyphens.',
        MAX_NAME,
      ),
    );
  }
  return name === folder ? [] : warning(l10n.t('The name of a skill must be that of its folder, “{0}”.', folder));
}

function descriptionProblems(description: string, lineOf: LineOf): FileProblem[] {
  const line = lineOf('description');
  if (description === '') {
    const message = l10n.t('The skill has no “description”, by which the model chooses it.');
    return [{ line, message, severity: 'error' }];
  }
  if (description.length <= MAX_DESCRIPTION) return [];
  const message = l10n.t('Only the first {0} characters of the description are used.', MAX_DESCRIPTION);
  return [{ line, message, severity: 'warning' }];
}
