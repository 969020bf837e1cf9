/** Writes answers like servers of the messages format. */
import { ANSWER_ID, callsOf, pieces, type Said, type SaidCitation, type SaidPart, USAGE } from './script.ts';

const INPUT_ON_WIRE = {
  input_tokens: USAGE.prompt - USAGE.cached,
  cache_read_input_tokens: USAGE.cached,
  cache_creation_input_tokens: 0,
};

export function wholeMessage(said: Said, model: string) {
  return {
    id: `msg_${ANSWER_ID}`,
    type: 'message',
    role: 'assistant',
    model,
    content: said.parts.map(wholeBlock),
    stop_reason: stopReason(said),
    stop_sequence: null,
    usage: { ...INPUT_ON_WIRE, output_tokens: USAGE.completion },
  };
}

function wholeBlock(part: SaidPart) {
  if ('text' in part) {
    return { type: 'text', text: part.text, ...(part.cites && { citations: part.cites.map(citation) }) };
  }
  if ('reasoning' in part) return { type: 'thinking', thinking: part.reasoning, signature: part.signature ?? '' };
  return { type: 'tool_use', id: part.call, name: part.name, input: JSON.parse(part.arguments) };
}

const CITED_WORDS = 'Words of the source.';

function citation(cited: SaidCitation): object {
  if ('url' in cited) {
    return { type: 'web_search_result_location', ...cited, cited_text: CITED_WORDS, encrypted_index: 'ZW5j' };
  }
  const place = { document_index: 0, document_title: cited.document, start_char_index: 0, end_char_index: 20 };
  return { type: 'char_location', ...place, cited_text: CITED_WORDS, file_id: null };
}

function stopReason(said: Said): string {
  if (said.limit === 'length') return 'max_tokens';
  return callsOf(said).length > 0 ? 'tool_use' : 'end_turn';
}

export function messageEvents(said: Said, model: string): string[] {
  const usage = { ...INPUT_ON_WIRE, output_tokens: 1 };
  const start = { ...wholeMessage(said, model), content: [], stop_reason: null, usage };
  const delta = { stop_reason: stopReason(said), stop_sequence: null };
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...said.parts.flatMap((part, index) => [
      { type: 'content_block_start', index, content_block: emptyBlock(part) },
      ...deltas(part).map((piece) => ({ type: 'content_block_delta', index, delta: piece })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta, usage: { output_tokens: USAGE.completion } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function emptyBlock(part: SaidPart) {
  if ('text' in part) return { type: 'text', text: '' };
  if ('reasoning' in part) return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id: part.call, name: part.name, input: {} };
}

function deltas(part: SaidPart): object[] {
  if ('text' in part) {
    const cited = (part.cites ?? []).map((each) => ({ type: 'citations_delta', citation: citation(each) }));
    return [...cited, ...pieces(part.text).map((text) => ({ type: 'text_delta', text }))];
  }
  if ('call' in part) {
    return ['', ...pieces(part.arguments)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  }
  const thinking = pieces(part.reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
  return part.signature === undefined
    ? thinking
    : [...thinking, { type: 'signature_delta', signature: part.signature }];
}
