import { textAttachment } from '../../chat/context/textAttachment.ts';
import { attachmentsOf, type Entry } from '../../chat/conversation/entry.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { sentEntries } from '../../chat/conversation/sentEntries.ts';
import { type CustomizationSet, instructionsFor, instructionText } from './found.ts';

/**
 * Returns the instructions that apply to files, and that the model does not have yet. They follow what is in the
 * conversation, so that the service can read everything before them from its cache.
 * @param entries the conversation.
 * @param others the other attachments of the next question.
 */
export function missingInstructions(
  set: CustomizationSet,
  paths: readonly string[],
  entries: readonly Entry[],
  others: readonly Attachment[] = [],
): readonly Attachment[] {
  const given = new Set(
    [...attachmentsOf(sentEntries(entries)), ...others].filter(isInstructions).map(({ path }) => path),
  );
  return instructionsFor(set, paths)
    .filter(({ path }) => !given.has(path))
    .map((found) =>
      textAttachment({
        kind: 'instructions',
        label: found.path,
        path: found.path,
        languageId: 'markdown',
        text: instructionText(found),
      }),
    );
}

function isInstructions({ kind }: Attachment): boolean {
  return kind === 'instructions';
}
