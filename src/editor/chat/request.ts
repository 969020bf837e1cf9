import type { ChatRequest, Message, TextPart } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import type { Entry, Question } from './conversation/entry.ts';
import type { Attachment } from './conversation/record.ts';
import type { ParameterValues } from './protocol.ts';

export interface RequestSettings extends ParameterValues {
  readonly model: string;
  readonly systemPrompt: string;
  readonly maxTokens: number;
}

/** The request that the next answer needs: system prompt, then all that was said. */
export function buildRequest(entries: readonly Entry[], settings: RequestSettings): ChatRequest {
  const { model, systemPrompt, maxTokens, temperature, reasoningEffort, stopSequences = [] } = settings;
  return defined({
    model,
    system: systemPrompt === '' ? [] : [textPart(systemPrompt)],
    messages: entries.flatMap(toMessage),
    maxTokens,
    temperature,
    reasoning: reasoningEffort === undefined ? undefined : { effort: reasoningEffort },
    stopSequences: stopSequences.length === 0 ? undefined : stopSequences,
    stream: true,
    includeUsage: true,
  });
}

/** An answer that never got any text has nothing to say in the next request. */
function toMessage(entry: Entry): Message[] {
  if (entry.role === 'user') return [{ role: 'user', parts: questionParts(entry) }];
  return entry.text === '' ? [] : [{ role: 'assistant', parts: [textPart(entry.text)] }];
}

/** Attachments first, as the question refers to them. */
export function questionParts({ text, attachments }: Pick<Question, 'text' | 'attachments'>): TextPart[] {
  const question = text === '' ? [] : [textPart(text)];
  return [...attachments.map((attachment) => textPart(describeAttachment(attachment))), ...question];
}

/** A heading and a code block whose fence is longer than any inside. */
function describeAttachment({ kind, label, path, languageId, text }: Attachment): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const heading = kind === 'selection' ? `Selection from ${path} (${label})` : `File ${path}`;
  return `${heading}:\n${fence}${languageId}\n${text}\n${fence}`;
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}
