/** The sandbox's default answer: a description of the request in Markdown. */
import { writtenText } from '../formats/answer.ts';
import type { ChatRequest, FormatName, Message } from '../formats/conversation.ts';
import { costOf, type SandboxModel } from './catalog.ts';
import { pick } from './ids.ts';
import { describeMedia, mediaOf } from './media.ts';
import type { SandboxTurn } from './turn.ts';
import { usages } from './words.ts';

/** The only values on which the answer may depend, so that equal requests have equal answers. */
export interface Received {
  readonly request: ChatRequest;
  readonly turn: SandboxTurn;
  readonly format: FormatName;
  readonly model: SandboxModel;
  readonly inputTokens: number;
}

const SHOWN_MESSAGES = 6;
const SHOWN_QUESTION = 160;
const SHOWN_RESULT = 400;
const SHOWN_ITEMS = 12;
const SHOWN_CELL = 600;

export function report(received: Received): string {
  const { turn, model, format } = received;
  const opening = pick(
    [
      'This is the sandbox; no real model answered.',
      'The sandbox answers here, not a real model.',
      'You have reached the sandbox. No real model was asked.',
      'No real model answered this; the sandbox did.',
    ],
    turn.question,
  );
  const blocks = [
    `${opening} \`${model.id}\` received this through the **${format}** format:`,
    table(received),
    ...(turn.question === '' ? [] : [`The question begins:\n\n> ${oneLine(turn.question, SHOWN_QUESTION)}`]),
    `Try \`${pick(usages, `${turn.question}?`)}\` next, or \`help\` for everything that the sandbox can do.`,
  ];
  return blocks.join('\n\n');
}

/** The answer after tool calls: describes the result of each. */
export function reportResults({ request, turn }: Received): string {
  const calls = request.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const blocks = turn.results.map((result) => {
    const call = calls.find((part) => part.type === 'toolCall' && part.id === result.toolCallId);
    const name = call?.type === 'toolCall' ? call.name : result.toolCallId;
    const text = result.content
      .map((part) => (part.type === 'text' ? part.text : `[${describeMedia(part)}]`))
      .join(' ');
    const verb = result.isError ? 'failed' : 'answered';
    return `**${name}** ${verb} with ${text.length} characters:\n\n> ${oneLine(text, SHOWN_RESULT)}`;
  });
  return ['The sandbox, not a real model, received these tool results:', ...blocks].join('\n\n');
}

function table({ request, model, inputTokens }: Received): string {
  const system = request.system.reduce((total, { text }) => total + text.length, 0);
  const media = mediaOf(request);
  const images = media.filter(({ type }) => type === 'image').map(describeMedia);
  const documents = media.filter(({ type }) => type === 'document').map(describeMedia);
  const price = costOf({ inputTokens, outputTokens: 0 }, model.price);
  const rows: readonly (readonly [string, string])[] = [
    ['Messages', describeMessages(request.messages)],
    ['System prompt', system === 0 ? 'none' : `${system} characters`],
    ['Tools', list(request.tools?.map(({ name }) => `\`${name}\``))],
    ['Hosted tools', list(request.hostedTools?.map(({ type }) => type))],
    ['Images', list(images)],
    ['Documents', list(documents)],
    ['Parameters', list(describeParameters(request))],
    ['Input', `${inputTokens} tokens, $${Number(price.toFixed(9))}`],
  ];
  const shown = rows.filter(([name, value]) => value !== 'none' || name === 'System prompt' || name === 'Tools');
  return ['| Received | |', '|---|---|', ...shown.map(([name, value]) => `| ${name} | ${cell(value)} |`)].join('\n');
}

function describeMessages(messages: readonly Message[]): string {
  const sizes = messages.slice(-SHOWN_MESSAGES).map((message) => `${message.role} ${sizeOf(message)}`);
  const before = messages.length > SHOWN_MESSAGES ? '…, ' : '';
  return `${messages.length}: ${before}${sizes.join(', ')} characters`;
}

function sizeOf({ parts }: Message): number {
  return parts.reduce((total, part) => total + lengthOf(part), 0);
}

function lengthOf(part: Message['parts'][number]): number {
  if (part.type === 'image' || part.type === 'document') return 0;
  return part.type === 'toolResult'
    ? part.content.reduce((sum, inner) => sum + lengthOf(inner), 0)
    : writtenText(part).length;
}

/** Returns the parameters that were set, except those that have their own rows. */
function describeParameters(request: ChatRequest): readonly string[] {
  const { reasoning, toolChoice, stopSequences, responseFormat } = request;
  const plain = [
    ['max tokens', request.maxTokens],
    ['temperature', request.temperature],
    ['top p', request.topP],
    ['top k', request.topK],
    ['seed', request.seed],
    ['frequency penalty', request.frequencyPenalty],
    ['presence penalty', request.presencePenalty],
    ['verbosity', request.verbosity],
    ['effort', reasoning?.effort],
    ['thinking budget', reasoning?.budgetTokens],
    ['tool choice', toolChoice?.type === 'tool' ? toolChoice.name : toolChoice?.type],
    ['parallel tool calls', request.parallelToolCalls],
    ['stop sequences', stopSequences?.length || undefined],
    ['response format', responseFormat?.type],
    ['stream', request.stream],
  ] as const;
  return plain.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
}

function list(items: readonly string[] | undefined): string {
  if (items === undefined || items.length === 0) return 'none';
  const more = items.length > SHOWN_ITEMS ? ` and ${items.length - SHOWN_ITEMS} more` : '';
  return items.slice(0, SHOWN_ITEMS).join('; ') + more;
}

/** Formats a text for a table cell. */
function cell(text: string): string {
  return oneLine(text, SHOWN_CELL).replaceAll('|', '\\|');
}

function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length).trimEnd()}…` : line;
}
