/** Requests to servers whose models fill in text between two others. */
import { createParser } from 'eventsource-parser';
import { isRecord } from '../formats/json.ts';
import type { FillIn } from '../settings/upstreamList.ts';
import type { Hole, RelatedText } from './prompt.ts';

export interface FillInRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The markers of models such as Qwen2.5-Coder, for servers without a member for the text after the cursor. */
const QWEN = { prefix: '<|fim_prefix|>', suffix: '<|fim_suffix|>', middle: '<|fim_middle|>' };

/**
 * - `suffix`: `POST /completions` with the text after the cursor in `suffix`, as Ollama and DeepSeek have it.
 * - `fim`: `POST /fim/completions`, as Codestral has it.
 * - `infill`: `POST /infill` of llama.cpp's server, which is not below `/v1`.
 * - `tokens`, or the tokens themselves: `POST /completions` with the model's own markers in the prompt, as for vLLM.
 */
export function fillInRequest(
  baseUrl: string,
  how: FillIn,
  model: string,
  hole: Hole,
  maxTokens: number,
): FillInRequest {
  const base = baseUrl.replace(/\/+$/, '');
  const { before, after } = hole.place;
  const prompt = relatedComments(hole) + before;
  const common = { model, stream: true, temperature: 0, max_tokens: maxTokens };
  const asked = { ...common, stream_options: { include_usage: true } };
  if (how === 'suffix') return { url: `${base}/completions`, body: { ...asked, prompt, suffix: after } };
  if (how === 'fim') return { url: `${base}/fim/completions`, body: { ...common, prompt, suffix: after } };
  if (how === 'infill') {
    const extra = hole.related.map(({ path, text }) => ({ filename: path, text }));
    const body = {
      input_prefix: before,
      input_suffix: after,
      input_extra: extra,
      n_predict: maxTokens,
      temperature: 0,
    };
    return { url: `${base.replace(/\/v1$/, '')}/infill`, body: { ...body, stream: true, cache_prompt: true } };
  }
  const { prefix, suffix, middle } = how === 'tokens' ? QWEN : how;
  const marked = `${prefix}${prompt}${suffix}${after}${middle}`;
  return { url: `${base}/completions`, body: { ...asked, prompt: marked, stop: [prefix, suffix, middle] } };
}

/** Models that only continue code see other files best as comments. */
function relatedComments({ related, place }: Hole): string {
  const mark = /^(?:python|ruby|shellscript|yaml|toml|r|julia|elixir|perl)$/.test(place.languageId) ? '#' : '//';
  const commented = ({ path, text }: RelatedText) =>
    [path, ...text.split('\n')].map((line) => `${mark} ${line}\n`).join('');
  return related.map(commented).join('');
}

/** What one event, or a whole answer, says. */
export interface FillInPart {
  readonly text: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Whether the answer ended because it was too long. */
  readonly isCut: boolean;
}

/**
 * Reads an answer, which is a stream of events or one JSON body.
 * @throws if an event reports an error.
 */
export async function* fillInParts(response: Response): AsyncGenerator<FillInPart> {
  if (/json/i.test(response.headers.get('content-type') ?? '')) {
    yield partOf(await response.json());
    return;
  }
  const parts: FillInPart[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') parts.push(partOf(JSON.parse(data)));
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parts.splice(0);
  }
}

function partOf(value: unknown): FillInPart {
  if (!isRecord(value)) throw new Error('The answer is no JSON object.');
  if (value.error !== undefined && value.error !== null) throw new Error(errorMessage(value.error));
  const choice = Array.isArray(value.choices) && isRecord(value.choices[0]) ? value.choices[0] : {};
  const message = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : {};
  const text = [choice.text, message.content, value.content].find((each) => typeof each === 'string') ?? '';
  const usage = usageOf(value);
  const isCut = choice.finish_reason === 'length' || value.stop_type === 'limit' || value.stopped_limit === true;
  return { text, isCut, ...(usage !== undefined && { usage }) };
}

function errorMessage(error: unknown): string {
  return isRecord(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
}

/** The counts of the usual member, or those of llama.cpp. */
function usageOf(value: Readonly<Record<string, unknown>>): FillInPart['usage'] {
  const counts = isRecord(value.usage)
    ? [value.usage.prompt_tokens, value.usage.completion_tokens]
    : [value.tokens_evaluated, value.tokens_predicted];
  const [inputTokens, outputTokens] = counts;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return inputTokens > 0 ? { inputTokens, outputTokens } : undefined;
}
