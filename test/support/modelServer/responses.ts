/** Writes answers like servers of the responses format. */
import { ANSWER_ID, CREATED, logProbOf, pieces, type Said, type SaidPart, USAGE } from './script.ts';

const USAGE_ON_WIRE = {
  input_tokens: USAGE.prompt,
  input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens: USAGE.completion,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: USAGE.prompt + USAGE.completion,
};

export function wholeResponse(said: Said, model: string) {
  return {
    id: `resp_${ANSWER_ID}`,
    object: 'response',
    created_at: CREATED,
    status: said.limit === 'length' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: said.limit === 'length' ? { reason: 'max_output_tokens' } : null,
    model,
    output: said.parts.map((part, place) => wholeItem(part, place)),
    usage: USAGE_ON_WIRE,
  };
}

function wholeItem(part: SaidPart, place: number) {
  if ('text' in part) {
    const content = [outputText(part)];
    return { id: `msg_${place}`, type: 'message', role: 'assistant', status: 'completed', content };
  }
  if ('reasoning' in part) {
    const summary = [{ type: 'summary_text', text: part.reasoning }];
    return { id: `rs_${place}`, type: 'reasoning', summary, encrypted_content: part.signature ?? null };
  }
  const call = { call_id: part.call, name: part.name, arguments: part.arguments };
  return { id: `fc_${place}`, type: 'function_call', status: 'completed', ...call };
}

type SaidText = Extract<SaidPart, { text: string }>;

function outputText({ text, cites = [], likely }: SaidText) {
  const annotations = cites.map((cited) =>
    'url' in cited
      ? { type: 'url_citation', ...cited, start_index: 0, end_index: text.length }
      : { type: 'file_citation', file_id: 'file_1', filename: cited.document, index: text.length },
  );
  const logprobs = likely === undefined ? [] : pieces(text).map((piece) => logProbOf(piece, likely));
  return { type: 'output_text', text, annotations, logprobs };
}

export function responseEvents(said: Said, model: string): string[] {
  const whole = wholeResponse(said, model);
  const begun = { ...whole, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...said.parts.flatMap((part, place) => itemEvents(part, place)),
    { type: whole.status === 'completed' ? 'response.completed' : 'response.incomplete', response: whole },
  ];
  return events.map((event, sequence_number) => {
    return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
  });
}

function itemEvents(part: SaidPart, output_index: number): { type: string }[] {
  const item = wholeItem(part, output_index);
  const place = { output_index, item_id: item.id };
  const done = { type: 'response.output_item.done', output_index, item };
  const added = (empty: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...empty, status: 'in_progress' },
  });
  if ('text' in part) {
    const content = { ...place, content_index: 0 };
    const empty = { type: 'output_text', text: '', annotations: [] };
    const whole = outputText(part);
    return [
      added({ content: [] }),
      { type: 'response.content_part.added', ...content, part: empty },
      ...pieces(part.text).map((delta, nth) => {
        return { type: 'response.output_text.delta', ...content, delta, logprobs: whole.logprobs.slice(nth, nth + 1) };
      }),
      ...whole.annotations.map((annotation, annotation_index) => {
        return { type: 'response.output_text.annotation.added', ...content, annotation_index, annotation };
      }),
      { type: 'response.output_text.done', ...content, text: part.text, logprobs: whole.logprobs },
      { type: 'response.content_part.done', ...content, part: whole },
      done,
    ] as { type: string }[];
  }
  if ('reasoning' in part) {
    const summary = { ...place, summary_index: 0 };
    return [
      added({ summary: [] }),
      { type: 'response.reasoning_summary_part.added', ...summary, part: { type: 'summary_text', text: '' } },
      ...pieces(part.reasoning).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...summary, delta })),
      { type: 'response.reasoning_summary_text.done', ...summary, text: part.reasoning },
      done,
    ] as { type: string }[];
  }
  return [
    added({ arguments: '' }),
    ...pieces(part.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    { type: 'response.function_call_arguments.done', ...place, name: part.name, arguments: part.arguments },
    done,
  ] as { type: string }[];
}
