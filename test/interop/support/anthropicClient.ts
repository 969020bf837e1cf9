import Anthropic from '@anthropic-ai/sdk';
import {
  type GatewayAddress,
  MODEL,
  type Question,
  type SdkClient,
  type SdkKind,
  TOOL,
  type Told,
} from './sdkClient.ts';

class MessagesClient implements SdkClient {
  readonly #sdk: Anthropic;
  readonly #messages: Anthropic.MessageParam[] = [];
  #question: Question = { text: '', stream: false };

  constructor({ root, key }: GatewayAddress) {
    this.#sdk = new Anthropic({ baseURL: root, apiKey: key, maxRetries: 0 });
  }

  ask(question: Question): Promise<Told> {
    this.#messages.push({
      role: 'user',
      content: [{ type: 'text', text: question.text }, ...pictures(question.image)],
    });
    this.#question = question;
    return this.#send();
  }

  goOn(results: ReadonlyMap<string, string>, image?: string): Promise<Told> {
    const content = [...results].map(([tool_use_id, text]) => ({
      type: 'tool_result' as const,
      tool_use_id,
      content: [{ type: 'text' as const, text }, ...pictures(image)],
    }));
    this.#messages.push({ role: 'user', content });
    return this.#send();
  }

  statusOf(error: unknown): number | undefined {
    return error instanceof Anthropic.APIError ? error.status : undefined;
  }

  async #send(): Promise<Told> {
    const { offersTool, schema, stream, signal } = this.#question;
    const tool = { name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema };
    const params = {
      model: MODEL,
      max_tokens: 4000,
      messages: this.#messages,
      ...(offersTool && { tools: [tool] }),
      ...(schema && { output_config: { format: { type: 'json_schema' as const, schema } } }),
    };
    const options = { ...(signal && { signal }) };
    const message = stream ? await this.#stream(params, options) : await this.#sdk.messages.create(params, options);
    this.#messages.push({ role: 'assistant', content: message.content });
    const { content, usage } = message;
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])),
      inputTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
      outputTokens: usage.output_tokens,
    };
  }

  async #stream(params: Anthropic.MessageCreateParamsNonStreaming, options: { signal?: AbortSignal }) {
    const stream = this.#sdk.messages.stream(params, options);
    stream.once('text', () => this.#question.onPiece?.());
    return stream.finalMessage();
  }
}

function pictures(image: string | undefined): Anthropic.ImageBlockParam[] {
  return image === undefined
    ? []
    : [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }];
}

export const ANTHROPIC_CLIENTS: readonly SdkKind[] = [
  {
    name: 'anthropic',
    format: 'messages',
    givesReasoningBack: true,
    showsImages: true,
    create: (gateway) => new MessagesClient(gateway),
  },
];
