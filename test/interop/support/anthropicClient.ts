import type Anthropic from '@anthropic-ai/sdk';
import { ANTHROPIC_SDKS } from './anthropicSdks.ts';
import { Conversation } from './conversation.ts';
import { type GatewayAddress, MODEL, type Question, type SdkAnswer, type SdkKind, TOOL } from './sdkClient.ts';

class MessagesClient extends Conversation<Anthropic.MessageParam> {
  readonly #Sdk: typeof Anthropic;
  readonly #sdk: Anthropic;

  constructor(Sdk: typeof Anthropic, { root, key }: GatewayAddress) {
    super();
    this.#Sdk = Sdk;
    this.#sdk = new Sdk({ baseURL: root, apiKey: key, maxRetries: 0 });
  }

  protected questionMessage({ text, image }: Question): Anthropic.MessageParam {
    return { role: 'user', content: [{ type: 'text', text }, ...pictures(image)] };
  }

  protected resultMessages(results: readonly (readonly [string, string])[], image?: string): Anthropic.MessageParam[] {
    const content = results.map(([tool_use_id, text]) => ({
      type: 'tool_result' as const,
      tool_use_id,
      content: [{ type: 'text' as const, text }, ...pictures(image)],
    }));
    return [{ role: 'user', content }];
  }

  statusOf(error: unknown): number | undefined {
    return error instanceof this.#Sdk.APIError ? error.status : undefined;
  }

  protected async send(): Promise<SdkAnswer> {
    const { offersTool, schema, stream, signal } = this.question;
    const tool = { name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema };
    const params = {
      model: MODEL,
      max_tokens: 4000,
      messages: this.messages,
      ...(offersTool && { tools: [tool] }),
      ...(schema && { output_config: { format: { type: 'json_schema' as const, schema } } }),
    };
    const options = { ...(signal && { signal }) };
    const message = stream ? await this.#stream(params, options) : await this.#sdk.messages.create(params, options);
    this.messages.push({ role: 'assistant', content: message.content });
    const { content, usage } = message;
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      pages: content.flatMap((block) => (block.type === 'text' ? (block.citations ?? []) : []).flatMap(addressOf)),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])),
      inputTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
      outputTokens: usage.output_tokens,
    };
  }

  async #stream(params: Anthropic.MessageCreateParamsNonStreaming, options: { signal?: AbortSignal }) {
    const stream = this.#sdk.messages.stream(params, options);
    stream.once('text', () => this.question.onPiece?.());
    return stream.finalMessage();
  }
}

function addressOf(citation: Anthropic.TextCitation): string[] {
  return 'url' in citation ? [citation.url] : [];
}

function pictures(image: string | undefined): Anthropic.ImageBlockParam[] {
  return image === undefined
    ? []
    : [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }];
}

export const ANTHROPIC_CLIENTS: readonly SdkKind[] = ANTHROPIC_SDKS.map(({ name, Sdk }) => ({
  name,
  format: 'messages',
  givesReasoningBack: true,
  showsImages: true,
  namesPages: true,
  create: (gateway) => new MessagesClient(Sdk, gateway),
}));
