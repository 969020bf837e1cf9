import OpenAI from 'openai';
import {
  type GatewayAddress,
  MODEL,
  type Question,
  type SdkClient,
  type SdkKind,
  TOOL,
  type Told,
} from './sdkClient.ts';

function sdk({ address, key }: GatewayAddress): OpenAI {
  return new OpenAI({ baseURL: address, apiKey: key, maxRetries: 0 });
}

function statusOf(error: unknown): number | undefined {
  return error instanceof OpenAI.APIError ? error.status : undefined;
}

type ChatMessage = OpenAI.ChatCompletionMessageParam;
type Completion = OpenAI.ChatCompletion;

class ChatCompletionsClient implements SdkClient {
  readonly statusOf = statusOf;
  readonly #sdk: OpenAI;
  readonly #messages: ChatMessage[] = [];
  #question: Question = { text: '', stream: false };

  constructor(gateway: GatewayAddress) {
    this.#sdk = sdk(gateway);
  }

  ask(question: Question): Promise<Told> {
    const { text, image } = question;
    const picture =
      image === undefined ? [] : [{ type: 'image_url' as const, image_url: { url: `data:image/png;base64,${image}` } }];
    this.#messages.push({ role: 'user', content: [{ type: 'text', text }, ...picture] });
    this.#question = question;
    return this.#send();
  }

  goOn(results: ReadonlyMap<string, string>): Promise<Told> {
    for (const [id, content] of results) this.#messages.push({ role: 'tool', tool_call_id: id, content });
    return this.#send();
  }

  async #send(): Promise<Told> {
    const { offersTool, schema, stream, signal } = this.#question;
    const tool = { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema };
    const params = {
      model: MODEL,
      messages: this.#messages,
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
    this.#messages.push(message);
    const calls = (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    );
    const { reasoning_content: reasoning = '' } = message as { reasoning_content?: string };
    const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = completion.usage ?? {};
    return { text: message.content ?? '', reasoning, calls, inputTokens, outputTokens };
  }

  /** The SDK's own helper puts the pieces together. */
  async #stream(
    params: OpenAI.ChatCompletionCreateParamsNonStreaming,
    options: { signal?: AbortSignal },
  ): Promise<Completion> {
    const streaming = { ...params, stream: true as const, stream_options: { include_usage: true } };
    const stream = this.#sdk.chat.completions.stream(streaming, options);
    stream.once('content', () => this.#question.onPiece?.());
    return stream.finalChatCompletion();
  }
}

class ResponsesClient implements SdkClient {
  readonly statusOf = statusOf;
  readonly #sdk: OpenAI;
  readonly #input: OpenAI.Responses.ResponseInputItem[] = [];
  #question: Question = { text: '', stream: false };

  constructor(gateway: GatewayAddress) {
    this.#sdk = sdk(gateway);
  }

  ask(question: Question): Promise<Told> {
    const { text, image } = question;
    this.#input.push({ role: 'user', content: [{ type: 'input_text', text }, ...pictures(image)] });
    this.#question = question;
    return this.#send();
  }

  goOn(results: ReadonlyMap<string, string>, image?: string): Promise<Told> {
    for (const [call_id, text] of results) {
      const output = [{ type: 'input_text' as const, text }, ...pictures(image)];
      this.#input.push({ type: 'function_call_output', call_id, output });
    }
    return this.#send();
  }

  async #send(): Promise<Told> {
    const { offersTool, schema, stream, signal } = this.#question;
    const { name, description, schema: parameters } = TOOL;
    const params = {
      model: MODEL,
      input: this.#input,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      ...(offersTool && { tools: [{ type: 'function' as const, name, description, parameters, strict: true }] }),
      ...(schema && { text: { format: { type: 'json_schema' as const, name: 'answer', schema, strict: true } } }),
    };
    const options = { ...(signal && { signal }) };
    const response = stream ? await this.#stream(params, options) : await this.#sdk.responses.create(params, options);
    if (response.status !== 'completed') throw new Error(`The answer is ${response.status}.`);
    this.#input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }] : [],
    );
    const reasoning = response.output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map((part) => part.text) : []))
      .join('');
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = response.usage ?? {};
    return { text: response.output_text, reasoning, calls, inputTokens, outputTokens };
  }

  async #stream(params: OpenAI.Responses.ResponseCreateParamsNonStreaming, options: { signal?: AbortSignal }) {
    const stream = this.#sdk.responses.stream({ ...params, stream: true }, options);
    stream.once('response.output_text.delta', () => this.#question.onPiece?.());
    return stream.finalResponse();
  }
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
    create: (gateway) => new ChatCompletionsClient(gateway),
  },
  {
    name: 'openai with responses',
    format: 'responses',
    givesReasoningBack: true,
    showsImages: true,
    create: (gateway) => new ResponsesClient(gateway),
  },
];
