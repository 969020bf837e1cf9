import type {
  AssistantPart,
  ChatRequest,
  ImagePart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../formats/conversation.ts';
import { defined } from '../formats/json.ts';
import type { WireFormat } from '../formats/wireFormat.ts';
import type {
  AnswerCitation,
  AnswerTurn,
  ParameterName,
  ParameterValues,
  ToolCallView,
} from '../pages/chat/protocol.ts';
import type { StoredImage } from '../rules/answer.ts';
import type { Entry, Question } from './conversation/entry.ts';
import type { Attachment } from './conversation/record.ts';
import { sentEntries } from './conversation/sentEntries.ts';

export interface RequestSettings extends ParameterValues {
  readonly model: string;
  readonly systemPrompt: string;
  readonly maxTokens: number;
  /** The workspace's instructions, added after the system prompt. */
  readonly instructions?: string;
  /** Whether the model is asked for code in the form that can be applied to files without doubt. */
  readonly asksForCodeForm?: boolean;
  /** False if the model reads no images. */
  readonly readsImages?: boolean;
}

/** Sent with each question, so it is short: some 35 tokens. */
const CODE_FORM =
  'When you change code of a file, write one code block per file with its path after the language, changed functions in full, and `// ...` where code stays.';
/** The result of each tool call that the model made, because a format may require one per call. */
const NOT_RUN = 'This chat runs no tools. Answer without it.';
/** The result of a call in a run of the agent that was stopped before. */
const STOPPED_BEFORE = 'This was not run, because the user stopped the run before.';

/** Returns the bytes of an image as base64, by its file name; undefined if it no longer exists. */
export type ImageLookup = (file: string) => string | undefined;

/** Builds the request for the next answer: the system prompt, then the conversation, or its summary. */
export function buildRequest(entries: readonly Entry[], settings: RequestSettings, images: ImageLookup): ChatRequest {
  const {
    model,
    systemPrompt,
    instructions = '',
    asksForCodeForm = false,
    maxTokens,
    temperature,
    reasoningEffort,
    stopSequences = [],
  } = settings;
  return defined({
    model,
    system: [systemPrompt, asksForCodeForm ? CODE_FORM : '', instructions].filter((text) => text !== '').map(textPart),
    messages: sentEntries(entries).flatMap((entry) => toMessage(entry, settings, images)),
    maxTokens,
    temperature,
    reasoning: reasoningEffort === undefined ? undefined : { effort: reasoningEffort },
    stopSequences: stopSequences.length === 0 ? undefined : stopSequences,
    stream: true,
    includeUsage: true,
  });
}

function toMessage(entry: Entry, settings: RequestSettings, images: ImageLookup): Message[] {
  if (entry.role === 'assistant') return answerMessages(entry, settings, images);
  return [{ role: 'user', parts: questionParts(entry, images) }];
}

/**
 * An empty answer is not sent in the next request. Each tool call gets a result. Sealed reasoning is only valid for the
 * model that wrote it.
 */
function answerMessages(answer: AnswerTurn, settings: RequestSettings, images: ImageLookup): Message[] {
  const { text, citations = [], refusal = '', toolCalls = [], sealed = [], run } = answer;
  const isReasonNeeded = toolCalls.length > 0 && answer.model === settings.model;
  const parts: AssistantPart[] = [
    ...(isReasonNeeded ? sealed.map((part) => ({ type: 'reasoning' as const, ...part })) : []),
    ...(text === '' ? [] : [citedText(text, citations)]),
    ...(refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...toolCalls.map((call): ToolCallPart => ({ type: 'toolCall', ...callOf(call) })),
  ];
  const results = toolCalls.map(({ id, result, images: seen = [], isError = result === undefined }): ToolResultPart => {
    const text = textPart(result ?? (run === undefined ? NOT_RUN : STOPPED_BEFORE));
    const content = [text, ...seen.map((image) => resultImage(image, settings, images))];
    return { type: 'toolResult', toolCallId: id, content, ...(isError && { isError }) };
  });
  const said: Message[] = parts.length === 0 ? [] : [{ role: 'assistant', parts }];
  return results.length === 0 ? said : [...said, { role: 'tool', parts: results }];
}

/** A later step may be answered by another model than the one that called the tool. */
function resultImage(image: StoredImage, { readsImages = true }: RequestSettings, images: ImageLookup) {
  return readsImages
    ? imagePart(image, 'image', images)
    : textPart(`[The result contains an image (${image.mediaType}), which this model cannot read.]`);
}

function imagePart({ file, mediaType }: StoredImage, name: string, images: ImageLookup): TextPart | ImagePart {
  const data = images(file);
  if (data === undefined) return textPart(`[The ${name} no longer exists.]`);
  return { type: 'image', source: { kind: 'base64', mediaType, data } };
}

/** Keeps the citations with a position in the text, because a format cannot express the others. */
function citedText(text: string, citations: readonly AnswerCitation[]): TextPart {
  const placed = citations.flatMap(({ span, proof, ...citation }) =>
    span === undefined ? [] : [defined({ citation, span, proof })],
  );
  return placed.length === 0 ? textPart(text) : { ...textPart(text), citations: placed };
}

/** A stopped answer may contain a call without arguments. */
function callOf({ id, name, arguments: written }: ToolCallView): Pick<ToolCallPart, 'id' | 'name' | 'arguments'> {
  return { id, name, arguments: written === '' ? '{}' : written };
}

/** Attachments come first, because the question refers to them. */
export function questionParts(
  { text, attachments }: Pick<Question, 'text' | 'attachments'>,
  images: ImageLookup,
): (TextPart | ImagePart)[] {
  const question = text === '' ? [] : [textPart(text)];
  const sent = attachments.filter(({ kind }) => kind !== 'tools');
  return [...sent.map((attachment) => attachmentPart(attachment, images)), ...question];
}

function attachmentPart(attachment: Attachment, images: ImageLookup): TextPart | ImagePart {
  const { image, label } = attachment;
  if (image === undefined) return textPart(describeAttachment(attachment));
  return imagePart(image, `image ${label}`, images);
}

/** Formats an attachment as a heading and a code block, whose fence is longer than any fence inside. */
export function describeAttachment(attachment: Attachment): string {
  const { kind, languageId, text } = attachment;
  // These say themselves what they are.
  if (kind === 'instructions' || kind === 'skill') return text;
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${headingOf(attachment)}:\n${fence}${languageId}\n${text}\n${fence}`;
}

function headingOf({ kind, label, path }: Attachment): string {
  switch (kind) {
    case 'selection':
      return `Selection from ${path} (${label})`;
    case 'folder':
      return `Folder ${path}, the list of its files, then their contents`;
    case 'problems':
      return `Problems that the editor reports in ${path}`;
    case 'diff':
      return `Git changes (${path})`;
    case 'terminal':
      return `Output of the terminal “${path}”`;
    case 'address':
      return `Text of the page ${path}`;
    default:
      return `File ${path}`;
  }
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}

/** The instructions of a run stay those that it began with, unless the chat sends none. */
export function withInstructions(settings: RequestSettings, instructions: string | undefined): RequestSettings {
  if (settings.instructions === undefined || instructions === undefined) return settings;
  return { ...settings, instructions };
}

/** Sample values, to find the parameters that a format drops before they are set. */
const SAMPLE_VALUES: Required<ParameterValues> = {
  systemPrompt: 'Be brief.',
  maxTokens: 1024,
  temperature: 1,
  reasoningEffort: 'low',
  stopSequences: ['END'],
};

const PARAMETER_NAMES = Object.keys(SAMPLE_VALUES) as ParameterName[];

/** The parameters that this format does not support, as the format itself reports them. */
export function droppedParameters(
  format: Pick<WireFormat, 'droppedFromRequest'>,
  values: ParameterValues,
): ParameterName[] {
  return PARAMETER_NAMES.filter((name) => {
    const only = { [name]: isDecided(values[name]) ? values[name] : SAMPLE_VALUES[name] };
    const request = buildRequest(
      [],
      { model: '', systemPrompt: '', maxTokens: SAMPLE_VALUES.maxTokens, ...only },
      () => undefined,
    );
    return format.droppedFromRequest(request).length > 0;
  });
}

/** An empty text or list counts as not set. */
function isDecided(value: ParameterValues[ParameterName]): boolean {
  return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : value !== undefined;
}
