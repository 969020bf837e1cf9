import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { EditorAnswer, EditorChatRequest, EditorQuestion } from '../../gateway/upstreams/editorModels/protocol.ts';
import { findModel, modelsOfOthers, nameOf } from './modelChoice.ts';
import { notAllowed, unknownModel } from './modelError.ts';
import { asMessages, asRequestOptions, readPart } from './parts.ts';

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
