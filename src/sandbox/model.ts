/** The sandbox's model. It is deterministic: equal requests have equal answers. */

import { writtenText } from '../formats/answer.ts';
import type { AssistantPart, ChatRequest, FormatName, Message } from '../formats/conversation.ts';
import type { JsonValue } from '../formats/json.ts';
import { nextTaskStep, type TaskStep } from './agentTask.ts';
import { answerAboutCode } from './attachedCode.ts';
import { costOf, type SandboxModel } from './catalog.ts';
import { cutTo, type SandboxAnswer, stopAt } from './draft.ts';
import { type IdSource, pick } from './ids.ts';
import { suggestInline } from './inlineSuggestion.ts';
import { describeMedia, mediaOf } from './media.ts';
import { asksForReasoning, think } from './reasoning.ts';
import { answerAboutSample } from './sampleAnswer.ts';
import { answerSampleCommand } from './sampleCommands.ts';
import { schemaValue } from './schemaValue.ts';
import { type PlannedCall, planCalls } from './toolCalls.ts';
import { readTurn, type SandboxTurn } from './turn.ts';
import { answerWord, readThink, say, usages } from './words.ts';

const SHOWN_MESSAGES = 6;
const SHOWN_QUESTION = 160;
const SHOWN_RESULT = 400;
const SHOWN_ITEMS = 12;
const SHOWN_CELL = 600;

/** @param ids generates the IDs of tool calls, which are the only difference between answers to equal requests. */
export function compose(asked: Omit<Received, 'turn'>, ids: IdSource): SandboxAnswer {
  const { request, model, format } = asked;
  const turn = readTurn(asked.request);
  const { thinks, question } = readThink(turn.question);
  const draft = answer({ ...asked, turn: { ...turn, question } }, ids);
  const reasons = (thinks && model.capabilities.reasoning) || asksForReasoning(request, model);
  const whole = reasons ? { ...draft, parts: [think(request, format), ...draft.parts] } : draft;
  const maxTokens = Math.min(request.maxTokens ?? model.maxOutputTokens, model.maxOutputTokens);
  return cutTo(maxTokens, stopAt(whole, request.stopSequences ?? []));
}

function answer(received: Received, ids: IdSource): SandboxAnswer {
  const { request, turn } = received;
  const merged = mergeCode(request);
  if (merged !== undefined) return say(merged);
  const suggestion = suggestInline(request);
  if (suggestion !== undefined) return say(suggestion);
  const word = turn.results.length === 0 ? answerWord(turn.question) : undefined;
  const calls = planCalls(request, word === undefined ? turn : { ...turn, question: '' });
  if (calls.length > 0) return { parts: calls.map((call) => toolCall(call, ids)), finishReason: 'toolCalls' };
  const task = word === undefined ? nextTaskStep(request, turn) : undefined;
  if (task !== undefined) return taskDraft(task, ids);
  const { responseFormat } = request;
  if (responseFormat?.type === 'jsonSchema') return json(schemaValue(responseFormat.schema, { optional: true }));
  if (responseFormat?.type === 'jsonObject') return json(summary(received));
  if (word !== undefined) return word;
  if (turn.results.length > 0) return say(reportResults(received));
  return answerInWords(received);
}

/** Commands on code that ask for a certain form come before free questions about the sample. */
function answerInWords(received: Received): SandboxAnswer {
  const { request, turn } = received;
  const command = answerSampleCommand(request, turn.question);
  if (command !== undefined) return { ...say(command), isPrepared: true };
  const sample = answerAboutSample(request, turn.question);
  if (sample?.isPrepared) return { ...say(sample.text), isPrepared: true };
  return say(answerAboutCode(request, turn.question) ?? sample?.text ?? report(received));
}

function taskDraft({ text, calls }: TaskStep, ids: IdSource): SandboxAnswer {
  const textParts: AssistantPart[] = text === '' ? [] : [{ type: 'text', text }];
  const parts = [...textParts, ...calls.map((call) => toolCall(call, ids))];
  return { parts, finishReason: calls.length === 0 ? 'stop' : 'toolCalls' };
}

function toolCall({ tool, arguments: args }: PlannedCall, ids: IdSource): AssistantPart {
  const { name, namespace, freeForm, toolSearch } = tool;
  return {
    type: 'toolCall',
    id: ids.next('call_'),
    name,
    arguments: args,
    ...(namespace !== undefined && { namespace }),
    ...(freeForm && { freeForm }),
    ...(toolSearch && { toolSearch }),
  };
}

function summary({ request, turn, model, inputTokens }: Received): JsonValue {
  const { question } = turn;
  return { sandbox: true, model: model.id, messages: request.messages.length, inputTokens, question };
}

function json(value: JsonValue): SandboxAnswer {
  return say(JSON.stringify(value));
}

/** A request to merge code into a file, which is answered with an edit at the end of the file. */
const MERGE_REQUEST = /<file>\n([\s\S]*)\n<\/file>\n[\s\S]*<code>\n([\s\S]*)\n<\/code>$/;

/** Returns undefined if the request is none to merge code. */
function mergeCode({ system, messages }: ChatRequest): string | undefined {
  const [prompt] = system;
  const [question] = messages;
  const part = question?.role === 'user' ? question.parts[0] : undefined;
  if (prompt === undefined || !prompt.text.includes('SEARCH/REPLACE') || part?.type !== 'text') return undefined;
  const [, file = '', code = ''] = MERGE_REQUEST.exec(part.text) ?? [];
  const lines = file.trimEnd().split('\n');
  const found = lines.map((_, index) => lines.slice(lines.length - 1 - index).join('\n'));
  const last = found.find((end) => file.split(end).length === 2) ?? file;
  const written = code.split('\n').filter((line) => !/^\s*(?:\/\/|#|\/\*|<!--)\s*(?:\.{3}|…)/.test(line));
  return ['<<<<<<< SEARCH', last, '=======', last, '', ...written, '>>>>>>> REPLACE'].join('\n');
}

/** The only values on which the answer may depend, so that equal requests have equal answers. */
interface Received {
  readonly request: ChatRequest;
  readonly turn: SandboxTurn;
  readonly format: FormatName;
  readonly model: SandboxModel;
  readonly inputTokens: number;
}

function report(received: Received): string {
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
function reportResults({ request, turn }: Received): string {
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
