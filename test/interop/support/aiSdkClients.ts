import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  dynamicTool,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
} from 'ai';
import { Conversation } from './conversation.ts';
import { type GatewayAddress, MODEL, type Question, type SdkAnswer, type SdkKind, TOOL } from './sdkClient.ts';

class AiSdkClient extends Conversation<ModelMessage> {
  readonly #model: LanguageModel;
  readonly #showsImages: boolean;

  constructor(model: LanguageModel, showsImages: boolean) {
    super();
    this.#model = model;
    this.#showsImages = showsImages;
  }

  protected questionMessage({ text, image }: Question): ModelMessage {
    const picture = image === undefined ? [] : [{ type: 'file' as const, data: image, mediaType: 'image/png' }];
    return { role: 'user', content: [{ type: 'text', text }, ...picture] };
  }

  protected resultMessages(results: readonly (readonly [string, string])[], image?: string): ModelMessage[] {
    const content = results.map(([toolCallId, text]) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName: TOOL.name,
      output: resultOf(text, this.#showsImages ? image : undefined),
    }));
    return [{ role: 'tool', content }];
  }

  statusOf(error: unknown): number | undefined {
    return APICallError.isInstance(error) ? error.statusCode : undefined;
  }

  protected async send(): Promise<SdkAnswer> {
    const { offersTool, schema, stream, signal } = this.question;
    const tools = { [TOOL.name]: dynamicTool({ description: TOOL.description, inputSchema: jsonSchema(TOOL.schema) }) };
    const params = {
      model: this.#model,
      messages: this.messages,
      maxRetries: 0,
      ...(offersTool && { tools }),
      ...(schema && { output: Output.object({ schema: jsonSchema(schema as object) }) }),
      ...(signal && { abortSignal: signal }),
    };
    const answer = stream ? await this.#stream(params) : await generateText(params);
    const { messages } = await answer.response;
    this.messages.push(...messages);
    const usage = await answer.usage;
    const calls = await answer.toolCalls;
    const sources = await answer.sources;
    return {
      text: await answer.text,
      reasoning: (await answer.reasoningText) ?? '',
      pages: sources.flatMap((source) => (source.sourceType === 'url' ? [source.url] : [])),
      calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
    };
  }

  async #stream(params: Parameters<typeof generateText>[0]) {
    const failures: unknown[] = [];
    const answer = streamText({ ...params, onError: ({ error }) => void failures.push(error) } as Parameters<
      typeof streamText
    >[0]);
    for await (const _ of answer.textStream) this.question.onPiece?.();
    params.abortSignal?.throwIfAborted();
    if (failures.length > 0) throw failures[0];
    return answer;
  }
}

function resultOf(text: string, image: string | undefined) {
  if (image === undefined) return { type: 'text' as const, value: text };
  return {
    type: 'content' as const,
    value: [
      { type: 'text' as const, text },
      { type: 'image-data' as const, data: image, mediaType: 'image/png' },
    ],
  };
}

function kind(
  { name, ...traits }: Omit<SdkKind, 'create'>,
  modelOf: (settings: { baseURL: string; apiKey: string }) => LanguageModel,
): SdkKind {
  const create = ({ address, key }: GatewayAddress) =>
    new AiSdkClient(modelOf({ baseURL: address, apiKey: key }), traits.showsImages);
  return { name: `ai with ${name}`, ...traits, create };
}

const BY_CHAT = {
  format: 'chat-completions',
  givesReasoningBack: false,
  showsImages: false,
  namesPages: true,
} as const;

export const AI_SDK_CLIENTS: readonly SdkKind[] = [
  kind({ name: '@ai-sdk/openai, chat completions', ...BY_CHAT }, (settings) => createOpenAI(settings).chat(MODEL)),
  kind({ name: '@ai-sdk/openai-compatible', ...BY_CHAT, namesPages: false }, (settings) =>
    createOpenAICompatible({ ...settings, name: 'gateway', includeUsage: true, supportsStructuredOutputs: true })(
      MODEL,
    ),
  ),
  // It refers to its reasoning by item IDs instead of sending it back.
  kind(
    {
      name: '@ai-sdk/openai, responses',
      format: 'responses',
      givesReasoningBack: false,
      showsImages: true,
      namesPages: true,
    },
    (settings) => createOpenAI(settings).responses(MODEL),
  ),
  kind(
    { name: '@ai-sdk/anthropic', format: 'messages', givesReasoningBack: true, showsImages: true, namesPages: true },
    (settings) => createAnthropic(settings)(MODEL),
  ),
];
