import OpenAI from 'openai';
import { Conversation } from './conversation.ts';
import { type GatewayAddress, MODEL, type Question, type SdkAnswer, type SdkKind, TOOL } from './sdkClient.ts';

function sdk({ address, key }: GatewayAddress): OpenAI {
  return new OpenAI({ baseURL: address, apiKey: key, maxRetries: 0 });
}

function statusOf(error: unknown): number | undefined {
  return error instanceof OpenAI.APIError ? error.status : undefined;
}

type ChatMessage = OpenAI.ChatCompletionMessageParam;
type Completion = OpenAI.ChatCompletion;

class ChatCompletionsClient extends Conversation<ChatMessage> {
  readonly statusOf = statusOf;
  readonly #sdk: OpenAI;

  constructor(gateway: GatewayAddress) {
    super();
    this.#sdk = sdk(gateway);
  }

  protected questionMessage({ text, image }: Question): ChatMessage {
    const picture =
      image === undefined ? [] : [{ type: 'image_url' as const, image_url: { url: `data:image/png;base64,${image}` } }];
    return { role: 'user', content: [{ type: 'text', text }, ...picture] };
  }

  protected resultMessages(results: readonly (readonly [string, string])[]): ChatMessage[] {
    return results.map(([tool_call_id, content]) => ({ role: 'tool', tool_call_id, content }));
  }

  protected async send(): Promise<SdkAnswer> {
    const { offersTool, schema, stream, signal } = this.question;
    const tool = { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema };
    const params = {
      model: MODEL,
      messages: this.messages,
      ...(offersTool && { tools: [{ type: 'function' as const, function: tool }] }),
      ...(schema && {
        response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema, strict: true } },
      }),
    };
    const options = { ...(signal && { signal }) };
    const completion = stream
      ? await this.#stream(params, options)
      : await this.#sdk.chat.completions.create(params, options);
    const message = completion.choices[0]?.message;
    if (message === undefined) throw new Error('There is no choice.');
    this.messages.push(message);
    const calls = (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    );
    const { reasoning_content: reasoning = '' } = message as { reasoning_content?: string };
    const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = completion.usage ?? {};
    const pages = (message.annotations ?? []).map((annotation) => annotation.url_citation.url);
    return { text: message.content ?? '', reasoning, pages, calls, inputTokens, outputTokens };
  }

  /** Uses the SDK's own helper to assemble the pieces. */
  async #stream(
    params: OpenAI.ChatCompletionCreateParamsNonStreaming,
    options: { signal?: AbortSignal },
  ): Promise<Completion> {
    const streaming = { ...params, stream: true as const, stream_options: { include_usage: true } };
    const stream = this.#sdk.chat.completions.stream(streaming, options);
    stream.once('content', () => this.question.onPiece?.());
    return stream.finalChatCompletion();
  }
}

type InputItem = OpenAI.Responses.ResponseInputItem;

class ResponsesClient extends Conversation<InputItem> {
  readonly statusOf = statusOf;
  readonly #sdk: OpenAI;

  constructor(gateway: GatewayAddress) {
    super();
    this.#sdk = sdk(gateway);
  }

  protected questionMessage({ text, image }: Question): InputItem {
    return { role: 'user', content: [{ type: 'input_text', text }, ...pictures(image)] };
  }

  protected resultMessages(results: readonly (readonly [string, string])[], image?: string): InputItem[] {
    return results.map(([call_id, text]) => {
      const output = [{ type: 'input_text' as const, text }, ...pictures(image)];
      return { type: 'function_call_output', call_id, output };
    });
  }

  protected async send(): Promise<SdkAnswer> {
    const { offersTool, schema, stream, signal } = this.question;
    const { name, description, schema: parameters } = TOOL;
    const params = {
      model: MODEL,
      input: this.messages,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      ...(offersTool && { tools: [{ type: 'function' as const, name, description, parameters, strict: true }] }),
      ...(schema && { text: { format: { type: 'json_schema' as const, name: 'answer', schema, strict: true } } }),
    };
    const options = { ...(signal && { signal }) };
    const response = stream ? await this.#stream(params, options) : await this.#sdk.responses.create(params, options);
    if (response.status !== 'completed') throw new Error(`The answer is ${response.status}.`);
    this.messages.push(...(response.output as InputItem[]));
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }] : [],
    );
    const reasoning = response.output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map((part) => part.text) : []))
      .join('');
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = response.usage ?? {};
    const pages = response.output.flatMap((item) => (item.type === 'message' ? item.content : [])).flatMap(pagesOf);
    return { text: response.output_text, reasoning, pages, calls, inputTokens, outputTokens };
  }

  async #stream(params: OpenAI.Responses.ResponseCreateParamsNonStreaming, options: { signal?: AbortSignal }) {
    const stream = this.#sdk.responses.stream({ ...params, stream: true }, options);
    stream.once('response.output_text.delta', () => this.question.onPiece?.());
    return stream.finalResponse();
  }
}

function pagesOf(content: OpenAI.Responses.ResponseOutputMessage['content'][number]): string[] {
  if (content.type !== 'output_text') return [];
  return content.annotations.flatMap((annotation) => (annotation.type === 'url_citation' ? [annotation.url] : []));
}

function pictures(image: string | undefined): OpenAI.Responses.ResponseInputImage[] {
  if (image === undefined) return [];
  return [{ type: 'input_image', image_url: `data:image/png;base64,${image}`, detail: 'auto' }];
}

export const OPENAI_CLIENTS: readonly SdkKind[] = [
  {
    name: 'openai with chat completions',
    format: 'chat-completions',
    givesReasoningBack: false,
    showsImages: false,
    namesPages: true,
    create: (gateway) => new ChatCompletionsClient(gateway),
  },
  {
    name: 'openai with responses',
    format: 'responses',
    givesReasoningBack: true,
    showsImages: true,
    namesPages: true,
    create: (gateway) => new ResponsesClient(gateway),
  },
];
