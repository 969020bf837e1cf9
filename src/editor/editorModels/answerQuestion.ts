import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../formats/json.ts';
import type {
  EditorAnswer,
  EditorAnswerPart,
  EditorChatRequest,
  EditorDataPart,
  EditorMessage,
  EditorPart,
  EditorQuestion,
  EditorTextPart,
} from '../../gateway/upstreams/editorModels/protocol.ts';
import { findModel, modelsOfOthers, nameOf } from './modelChoice.ts';
import { notAllowed, unknownModel } from './modelError.ts';

interface AnswerOptions {
  /** Whether this extension may use the model. */
  readonly mayAsk: (model: vscode.LanguageModelChat) => boolean;
  readonly reply: (answer: EditorAnswer) => void;
  readonly token: vscode.CancellationToken;
}

/**
 * Answers the gateway's question with models of other extensions.
 * @throws what the models throw.
 */
export async function answerQuestion(question: EditorQuestion, { mayAsk, reply, token }: AnswerOptions): Promise<void> {
  if (question.kind === 'models') {
    reply(await listed());
    return;
  }
  const { request } = question;
  const model = await findModel(request.model);
  if (model === undefined) reply({ kind: 'error', error: unknownModel(request.model) });
  else if (question.kind === 'count') reply({ kind: 'tokens', tokens: await countTokens(model, request, token) });
  else if (mayAsk(model)) await chat(model, request, reply, token);
  else reply({ kind: 'error', error: notAllowed(request.model) });
}

async function listed(): Promise<EditorAnswer> {
  const models = (await modelsOfOthers()).map((model) => ({
    name: nameOf(model),
    displayName: model.name,
    vendor: model.vendor,
    family: model.family,
    maxInputTokens: model.maxInputTokens,
  }));
  return { kind: 'models', models };
}

async function chat(
  model: vscode.LanguageModelChat,
  request: EditorChatRequest,
  reply: (answer: EditorAnswer) => void,
  token: vscode.CancellationToken,
): Promise<void> {
  const justification = l10n.t('A tool that uses the Model Access gateway requested this model.');
  const response = await model.sendRequest(asMessages(request), asRequestOptions(request, justification), token);
  for await (const written of response.stream) {
    const part = readPart(written);
    if (part !== undefined) reply({ kind: 'part', part });
  }
  reply({ kind: 'end' });
}

/** The API's count does not support tools, so their text is counted. */
async function countTokens(
  model: vscode.LanguageModelChat,
  request: EditorChatRequest,
  token: vscode.CancellationToken,
): Promise<number> {
  const { tools = [] } = request;
  const texts = tools.length > 0 ? [JSON.stringify(tools)] : [];
  const counted = [...asMessages(request), ...texts].map((each) => model.countTokens(each, token));
  const tokens = await Promise.all(counted);
  return tokens.reduce((sum, each) => sum + each, 0);
}

function asMessages({ messages }: EditorChatRequest): vscode.LanguageModelChatMessage[] {
  return messages.map(asMessage);
}

function asRequestOptions(
  { tools, mustCallTool, modelOptions }: EditorChatRequest,
  justification: string,
): vscode.LanguageModelChatRequestOptions {
  return {
    justification,
    ...(tools !== undefined && { tools: [...tools] }),
    ...(mustCallTool && { toolMode: vscode.LanguageModelChatToolMode.Required }),
    ...(modelOptions !== undefined && { modelOptions }),
  };
}

/**
 * Returns `undefined` for a part that no wire format supports. Thinking parts are a proposed API, and recognized by
 * their shape.
 */
function readPart(part: unknown): EditorAnswerPart | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const input = isRecord(part.input) ? JSON.parse(JSON.stringify(part.input)) : {};
    return { type: 'toolCall', id: part.callId, name: part.name, input };
  }
  if (part instanceof vscode.LanguageModelDataPart) return undefined;
  return readThinking(part);
}

function readThinking(part: unknown): EditorAnswerPart | undefined {
  if (!isRecord(part) || part.constructor.name !== 'LanguageModelThinkingPart') return undefined;
  const text = Array.isArray(part.value) ? part.value.join('') : part.value;
  return typeof text === 'string' && text !== '' ? { type: 'reasoning', text } : undefined;
}

function asMessage({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  if (role === 'user') return vscode.LanguageModelChatMessage.User(parts.filter(isUserPart).map(asUserPart));
  return vscode.LanguageModelChatMessage.Assistant(parts.filter(isAssistantPart).map(asAssistantPart));
}

type EditorUserPart = Exclude<EditorPart, { type: 'toolCall' }>;
type EditorAssistantPart = Exclude<EditorPart, { type: 'toolResult' }>;

const isUserPart = (part: EditorPart): part is EditorUserPart => part.type !== 'toolCall';
const isAssistantPart = (part: EditorPart): part is EditorAssistantPart => part.type !== 'toolResult';

function asUserPart(part: EditorUserPart) {
  if (part.type !== 'toolResult') return asContent(part);
  return new vscode.LanguageModelToolResultPart(part.toolCallId, part.content.map(asContent));
}

function asAssistantPart(part: EditorAssistantPart) {
  if (part.type !== 'toolCall') return asContent(part);
  return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
}

function asContent(part: EditorTextPart | EditorDataPart) {
  if (part.type === 'text') return new vscode.LanguageModelTextPart(part.text);
  return new vscode.LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mediaType);
}
