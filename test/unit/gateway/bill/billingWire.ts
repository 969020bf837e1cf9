/** Writes the answers of the billing service without using any code of the product. */
import type { Deed, Dialect } from './billingService.ts';

export interface Worked extends Deed {
  readonly said: readonly string[];
  readonly isReported: boolean;
  /** In US dollars, if the usage has it. */
  readonly cost?: number;
}

export function answerBytes(worked: Worked): Buffer {
  const write = { 'chat-completions': chatCompletions, messages, responses }[worked.format];
  return Buffer.from(write(worked));
}

/** As services do that sell the models of several vendors. */
const costIn = ({ cost }: Worked) =>
  cost !== undefined && { cost, is_byok: false, cost_details: { upstream_inference_cost: cost } };
const event = (data: unknown, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const shownCalls = ({ ending, calls = 0, shownCalls: shown }: Worked) =>
  ending === 'whole' ? calls : (shown ?? calls);
const isWhole = ({ ending }: Worked) => ending === 'whole';
const modelOf = ({ calls }: Worked) => (calls === undefined ? 'billed' : 'searching');

type Tokens = Pick<Deed, 'thought' | 'cached' | 'writtenShort' | 'writtenLong'>;

/** Whether a chat completion tells how much of its output was reasoning. */
export function namesReasoning(dialect: Dialect, { thought, cached, writtenShort, writtenLong }: Tokens): boolean {
  // As many tokens of both kinds could be either.
  const isAmbiguous = thought === cached + writtenShort + writtenLong;
  return dialect !== 'cacheBeside' && (dialect !== 'reasoningUnnamed' || isAmbiguous);
}

/** How services count chat completions: as documented, or as services do that leave a part to the total. */
function countedAs(dialect: Dialect, worked: Worked) {
  const { input, cached, writtenShort, writtenLong, thought, said } = worked;
  const written = writtenShort + writtenLong;
  const output = thought + said.length;
  const usage = {
    ...costIn(worked),
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    cache_creation: { ephemeral_1h_input_tokens: writtenLong },
    completion_tokens_details: { reasoning_tokens: thought },
  };
  const { completion_tokens_details: _, ...unnamed } = usage;
  switch (dialect) {
    case 'reasoningBeside':
      return { ...usage, completion_tokens: said.length };
    case 'reasoningUnnamed':
      return namesReasoning(dialect, worked) ? usage : { ...unnamed, completion_tokens: said.length };
    case 'cacheBeside':
      return { ...unnamed, prompt_tokens: input - cached - written };
    case 'cacheAbove': {
      const { prompt_tokens_details: __, ...rest } = usage;
      return { ...rest, cached_tokens: cached, cache_creation_input_tokens: written };
    }
    default:
      return usage;
  }
}

function chatCompletions(worked: Worked): string {
  const { said, dialect = 'documented' } = worked;
  const usage = countedAs(dialect, worked);
  const base = { id: 'c', object: 'chat.completion', created: 1, model: modelOf(worked) };
  if (!worked.isStream) {
    const message = { role: 'assistant', content: said.join('') };
    return JSON.stringify({
      ...base,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      ...(worked.isReported && { usage }),
    });
  }
  const failed = event({ error: { message: 'It failed.', code: 'server_error' } });
  if (worked.ending === 'refusedLate') return event({ error: { message: 'Not now.', code: 429 } });
  const choiceOf = (delta: object, finish: string | null) => ({ index: 0, delta, finish_reason: finish });
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    event({ ...base, object: 'chat.completion.chunk', choices: [choiceOf(delta, finish)], ...more });
  const begun = said.map((content) => chunk({ content })).join('');
  if (worked.ending === 'silent') return 'data: [DONE]\n\n';
  if (worked.ending === 'failed') return `${chunk({ role: 'assistant' })}${failed}`;
  if (worked.ending === 'error') return `${begun}${failed}`;
  if (!isWhole(worked)) return begun;
  const reported = worked.isReported ? reportedIn(dialect) : chunk({}, 'stop');
  return `${begun}${reported}data: [DONE]\n\n`;

  function reportedIn(place: Dialect): string {
    if (place === 'inChoice') return chunk({}, 'stop', { choices: [{ ...choiceOf({}, 'stop'), usage }] });
    if (place === 'inOwnMember') return chunk({}, 'stop', { x_groq: { usage } });
    if (place === 'inLastChunk') return chunk({}, 'stop', { usage });
    return chunk({}, 'stop') + event({ ...base, choices: [], usage });
  }
}

function messages(worked: Worked): string {
  const { input, cached, writtenShort, writtenLong, thought, said } = worked;
  const read = {
    input_tokens: input - cached - writtenShort - writtenLong,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: writtenShort + writtenLong,
    cache_creation: { ephemeral_5m_input_tokens: writtenShort, ephemeral_1h_input_tokens: writtenLong },
  };
  const output = {
    ...costIn(worked),
    output_tokens: thought + said.length,
    output_tokens_details: { thinking_tokens: thought },
    ...(worked.calls && !worked.omitsCalls && { server_tool_use: { web_search_requests: worked.calls } }),
  };
  const base = { id: 'm', type: 'message', role: 'assistant', model: modelOf(worked) };
  const ended = { stop_reason: 'end_turn', stop_sequence: null };
  const called = Array.from({ length: shownCalls(worked) }, (_, index) => ({
    type: 'server_tool_use',
    id: `s${index}`,
    name: 'web_search',
    input: {},
  }));
  if (!worked.isStream) {
    const content = [...called, { type: 'text', text: said.join('') }];
    return JSON.stringify({ ...base, ...ended, content, usage: worked.isReported ? { ...read, ...output } : null });
  }
  const start = {
    ...base,
    content: [],
    stop_reason: null,
    usage: worked.isReported
      ? { ...(worked.calls === undefined ? read : { input_tokens: 1 }), output_tokens: 1 }
      : null,
  };
  const calls = called.map((call) =>
    event({ type: 'content_block_start', index: 0, content_block: call }, 'content_block_start'),
  );
  const begun = [
    event({ type: 'message_start', message: start }, 'message_start'),
    ...calls,
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
    ...said.map((text) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta'),
    ),
  ].join('');
  if (worked.ending === 'refusedLate') {
    return event({ type: 'error', error: { type: 'rate_limit_error', message: 'Not now.' } }, 'error');
  }
  if (worked.ending === 'error' || worked.ending === 'failed') {
    return begun + event({ type: 'error', error: { type: 'overloaded_error', message: 'It failed.' } }, 'error');
  }
  if (!isWhole(worked)) return begun;
  return [
    begun,
    event({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
    event(
      {
        type: 'message_delta',
        delta: ended,
        ...(worked.isReported && { usage: worked.calls === undefined ? output : { ...read, ...output } }),
      },
      'message_delta',
    ),
    event({ type: 'message_stop' }, 'message_stop'),
  ].join('');
}

function responses(worked: Worked): string {
  const { input, cached, writtenShort, writtenLong, thought, said } = worked;
  const written = thought + said.length;
  const usage = {
    ...costIn(worked),
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: writtenShort + writtenLong },
    output_tokens: written,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: input + written,
  };
  const base = {
    id: 'r',
    object: 'response',
    created_at: 1,
    model: modelOf(worked),
    error: null,
    incomplete_details: null,
  };
  const text = said.join('');
  const item = {
    id: 'i',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const searches = Array.from({ length: worked.calls ?? 0 }, (_, index) => ({
    type: 'web_search_call',
    id: `w${index}`,
    status: 'completed',
    action: { type: 'search', query: 'it' },
  }));
  const output = worked.isStream && worked.omitsCalls ? [item] : [...searches, item];
  const whole = { ...base, status: 'completed', output, usage: worked.isReported ? usage : null };
  if (!worked.isStream) return JSON.stringify(whole);
  const empty = { ...base, status: 'in_progress', output: [], usage: null };
  const place = { item_id: 'i', output_index: 0, content_index: 0 };
  const calls = Array.from({ length: shownCalls(worked) }, (_, index) =>
    event({ type: 'response.output_item.added', output_index: 0, item: { type: 'web_search_call', id: `w${index}` } }),
  );
  const done = searches
    .slice(0, shownCalls(worked))
    .map((search) => event({ type: 'response.output_item.done', output_index: 0, item: search }));
  const begun = [
    event({ type: 'response.created', response: empty }, 'response.created'),
    ...calls,
    ...done,
    event({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }),
    event({ type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } }),
    ...said.map((delta) => event({ type: 'response.output_text.delta', ...place, delta })),
  ].join('');
  if (worked.ending === 'refusedLate') {
    const error = { code: 'rate_limit_exceeded', message: 'Not now.' };
    return event({ type: 'response.failed', response: { ...empty, status: 'failed', error } });
  }
  if (worked.ending === 'error' || worked.ending === 'failed') {
    const error = { code: 'server_error', message: 'It failed.' };
    return begun + event({ type: 'response.failed', response: { ...empty, status: 'failed', error } });
  }
  return isWhole(worked) ? begun + event({ type: 'response.completed', response: whole }) : begun;
}
