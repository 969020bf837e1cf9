/** Other ways to ask for thinking, and for answers in JSON. */
import { isRecord, type JsonRecord } from '../json.ts';
import { type Simplification, without } from './simplification.ts';

const JSON_SCHEMA_REFUSED =
  /response_?format|json_?schema|text\.format|output_config\.format|structured.?outputs?|guided|json.?mode|response mime type/i;

export const ANSWER_FORMS: readonly Simplification[] = [
  {
    name: 'thinking.type.enabled',
    weight: 'rest',
    lost: 'thinking',
    apply: (body) => (thinkingType(body) === 'enabled' ? { ...body, thinking: { type: 'adaptive' } } : undefined),
  },
  {
    name: 'thinking.type.disabled',
    weight: 'rest',
    lost: 'thinking',
    apply: (body) => (thinkingType(body) === 'disabled' ? without(body, ['thinking']) : undefined),
  },
  {
    name: 'response_format:json_object',
    weight: 'rest',
    isDeep: true,
    lost: 'response_format',
    meant: JSON_SCHEMA_REFUSED,
    apply: asInstructions,
  },
  {
    name: 'response_format:none',
    weight: 'rest',
    isOnlyAsked: true,
    lost: 'response_format',
    meant: JSON_SCHEMA_REFUSED,
    apply: (body) =>
      isRecord(body.response_format) && body.response_format.type === 'json_object'
        ? without(body, ['response_format'])
        : undefined,
  },
];

function thinkingType({ thinking }: JsonRecord): unknown {
  return isRecord(thinking) ? thinking.type : undefined;
}

/** The schema of an answer becomes an instruction, and the format the plainest one that still asks for JSON. */
function asInstructions(body: JsonRecord): JsonRecord | undefined {
  const { response_format: ofChat, text, output_config: output } = body;
  if (isRecord(ofChat) && ofChat.type === 'json_schema') {
    const { schema } = isRecord(ofChat.json_schema) ? ofChat.json_schema : ofChat;
    return instructed({ ...body, response_format: { type: 'json_object' } }, schema);
  }
  if (isRecord(text) && isRecord(text.format) && text.format.type === 'json_schema') {
    return instructed({ ...body, text: { ...text, format: { type: 'json_object' } } }, text.format.schema);
  }
  if (!isRecord(output) || !isRecord(output.format)) return undefined;
  return instructed(without(body, ['output_config', 'format']) ?? body, output.format.schema);
}

function instructed(body: JsonRecord, schema: unknown): JsonRecord {
  const words = `Answer with one JSON object and nothing else. It must follow this JSON Schema:\n\n${JSON.stringify(schema)}`;
  const { messages, input, instructions, system } = body;
  if (Array.isArray(input)) {
    const before = typeof instructions === 'string' ? `${instructions}\n\n` : '';
    return { ...body, instructions: `${before}${words}` };
  }
  if (!Array.isArray(messages)) return body;
  if (!Object.hasOwn(body, 'response_format')) return { ...body, system: joined(system, words) };
  const [first, ...others] = messages as readonly unknown[];
  if (!isRecord(first) || first.role !== 'system')
    return { ...body, messages: [{ role: 'system', content: words }, ...messages] };
  return { ...body, messages: [{ ...first, content: joined(first.content, words) }, ...others] };
}

function joined(content: unknown, words: string): unknown {
  if (Array.isArray(content)) return [...content, { type: 'text', text: words }];
  return typeof content === 'string' && content !== '' ? `${content}\n\n${words}` : words;
}
