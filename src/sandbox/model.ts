/** The sandbox's model. It is deterministic: equal requests have equal answers. */
import type { AssistantPart, ChatRequest } from '../formats/conversation.ts';
import type { JsonValue } from '../formats/json.ts';
import { nextTaskStep, type TaskStep } from './agentTask.ts';
import { answerAboutCode } from './attachedCode.ts';
import { cutTo, type SandboxAnswer, stopAt } from './draft.ts';
import type { IdSource } from './ids.ts';
import { suggestInline } from './inlineSuggestion.ts';
import { asksForReasoning, think } from './reasoning.ts';
import { type Received, report, reportResults } from './report.ts';
import { answerAboutSample } from './sampleAnswer.ts';
import { answerSampleCommand } from './sampleCommands.ts';
import { schemaValue } from './schemaValue.ts';
import { type PlannedCall, planCalls } from './toolCalls.ts';
import { readTurn } from './turn.ts';
import { answerWord, readThink } from './words.ts';

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
  if (merged !== undefined) return textContent(merged);
  const suggestion = suggestInline(request);
  if (suggestion !== undefined) return textContent(suggestion);
  const word = turn.results.length === 0 ? answerWord(turn.question) : undefined;
  const calls = planCalls(request, word === undefined ? turn : { ...turn, question: '' });
  if (calls.length > 0) return { parts: calls.map((call) => toolCall(call, ids)), finishReason: 'toolCalls' };
  const task = word === undefined ? nextTaskStep(request, turn) : undefined;
  if (task !== undefined) return taskDraft(task, ids);
  const { responseFormat } = request;
  if (responseFormat?.type === 'jsonSchema') return json(schemaValue(responseFormat.schema, { optional: true }));
  if (responseFormat?.type === 'jsonObject') return json(summary(received));
  if (word !== undefined) return word;
  if (turn.results.length > 0) return textContent(reportResults(received));
  return answerInWords(received);
}

/** Commands on code that ask for a certain form come before free questions about the sample. */
function answerInWords(received: Received): SandboxAnswer {
  const { request, turn } = received;
  const command = answerSampleCommand(request, turn.question);
  if (command !== undefined) return { ...textContent(command), isPrepared: true };
  const sample = answerAboutSample(request, turn.question);
  if (sample?.isPrepared) return { ...textContent(sample.text), isPrepared: true };
  return textContent(answerAboutCode(request, turn.question) ?? sample?.text ?? report(received));
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
  return textContent(JSON.stringify(value));
}

function textContent(text: string): SandboxAnswer {
  return { parts: [{ type: 'text', text }], finishReason: 'stop' };
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
