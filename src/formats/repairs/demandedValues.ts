/** What a server demands although its format does not: a value of a member, or instructions. */
import { isRecord, type JsonRecord } from '../json.ts';
import type { Problem, Simplification } from './simplification.ts';

/** Members that change nothing, or only how long a model thinks, and the values that servers demand of them. */
const DEMANDED = [
  { member: 'store', value: false },
  { member: 'enable_thinking', value: false, lost: 'thinking' },
  { member: 'enable_thinking', value: true },
  { member: 'parallel_tool_calls', value: false, lost: 'parallel_tool_calls' },
] as const;

const SOME_INSTRUCTIONS = 'Answer the user.';

export const DEMANDED_VALUES: readonly Simplification[] = [
  ...DEMANDED.map(({ member, value, ...rest }): Simplification => {
    const name = `${member}:${value}`;
    return {
      ...{ name, weight: 'rest', isOnlyAsked: true, ...rest },
      argumentIn: (problem) => (demands(problem, member, value) ? '' : undefined),
      apply: (body) => (body[member] === value ? undefined : { ...body, [member]: value }),
    };
  }),
  {
    name: 'instructions:some',
    weight: 'rest',
    isOnlyAsked: true,
    meant: /\binstructions?\b.{0,20}(?:required|missing|empty|not set)|missing\b.{0,40}\binstructions?\b/i,
    apply: withInstructions,
  },
];

const MUST = '(?:must|should|has to|needs? to|can only|必须|只能)';

function demands({ sentence }: Problem, member: string, value: boolean): boolean {
  return new RegExp(`\\b${member}\\b.{0,20}${MUST}.{0,20}\\b${value}\\b`, 'i').test(sentence);
}

/** The first message of the system, or else a sentence that says nothing new. */
function withInstructions(body: JsonRecord): JsonRecord | undefined {
  const { instructions, input } = body;
  if (!Array.isArray(input) || (typeof instructions === 'string' && instructions !== '')) return undefined;
  const [first, ...others]: readonly unknown[] = input;
  const own = isRecord(first) && (first.role === 'system' || first.role === 'developer') ? textOf(first.content) : '';
  if (own === '') return { ...body, instructions: SOME_INSTRUCTIONS };
  return { ...body, instructions: own, input: others };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('\n\n');
}
