import * as l10n from '@vscode/l10n';
import type { ParameterChange } from '../../../pages/chat/protocol.ts';
import type { ReasoningEffort } from '../../../rules/reasoningEffort.ts';

export const NOTHING_DECIDED: ParameterChange = {
  systemPrompt: null,
  maxTokens: null,
  temperature: null,
  reasoningEffort: null,
  stopSequences: null,
};

const EFFORT_TEXTS: Readonly<Record<ReasoningEffort, () => string>> = {
  none: () => l10n.t('No reasoning'),
  low: () => l10n.t('Low'),
  medium: () => l10n.t('Medium'),
  high: () => l10n.t('High'),
};

export const effortText = (effort: ReasoningEffort): string => EFFORT_TEXTS[effort]();

/** @returns null for an empty or invalid field. */
export function numberIn(field: HTMLInputElement): number | null {
  return field.value === '' || !field.validity.valid ? null : field.valueAsNumber;
}

/** Parses texts that are separated by commas. `\n` and `\t` stand for a line break and a tab. */
export function stopSequencesIn(text: string): readonly string[] | null {
  const sequences = text
    .split(',')
    .map((sequence) => sequence.trim().replaceAll('\\n', '\n').replaceAll('\\t', '\t'))
    .filter((sequence) => sequence !== '');
  return sequences.length === 0 ? null : sequences;
}
