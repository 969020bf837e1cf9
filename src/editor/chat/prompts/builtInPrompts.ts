/** The prompts that are part of the chat, and their attachments. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { builtInPrompt } from '../../../chat/prompts/codePromptTexts.ts';
import type { Prompt } from '../../../chat/prompts/prompt.ts';
import type { ContextSource } from '../context/contextChoices.ts';
import { countProblems } from '../context/problems.ts';

const NAMES = ['explain', 'fix', 'tests', 'document', 'review', 'commit-message'] as const;
type Name = (typeof NAMES)[number];

const DESCRIPTIONS: Readonly<Record<Name, () => string>> = {
  explain: () => l10n.t('What the code does and what to watch out for'),
  fix: () => l10n.t('Fix what the editor reports'),
  tests: () => l10n.t('Write tests'),
  document: () => l10n.t('Add documentation comments'),
  review: () => l10n.t('Find bugs and unclear code'),
  'commit-message': () => l10n.t('For your Git changes'),
};

const PREFIX = 'builtIn:';

export interface BuiltInPrompt {
  readonly id: string;
  readonly prompt: Prompt;
  /** The attachments in addition to those that the text names. */
  readonly sources: readonly ContextSource[];
}

/** The built-in prompts that no prompt of the user replaces. */
export function builtInPrompts(taken: ReadonlySet<string>): readonly BuiltInPrompt[] {
  return NAMES.filter((name) => !taken.has(name)).map(builtIn);
}

/** Returns undefined for the ID of another prompt. */
export function builtInOf(promptId: string): BuiltInPrompt | undefined {
  const name = NAMES.find((known) => PREFIX + known === promptId);
  return name && builtIn(name);
}

function builtIn(name: Name): BuiltInPrompt {
  const prompt = { name, description: DESCRIPTIONS[name](), models: [], body: bodyOf(name) };
  return { id: PREFIX + name, prompt, sources: sourcesOf(name) };
}

function sourcesOf(name: Name): readonly ContextSource[] {
  if (name === 'commit-message') return ['changes'];
  const uri = vscode.window.activeTextEditor?.document.uri;
  return name === 'fix' && uri !== undefined && countProblems(uri) > 0 ? ['fileProblems'] : [];
}

function bodyOf(name: Name): string {
  if (name !== 'review') return builtInPrompt(name);
  return l10n.t(
    'Review {0}: bugs, cases that are not handled, and what is hard to understand. Start with the most serious, name the lines, and suggest a fix for each.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
    '${selection}',
  );
}
