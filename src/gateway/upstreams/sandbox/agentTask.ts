/**
 * A task for the agent of the chat panel, so that it can be tried without a key: over the files of the sample folder, the
 * sandbox reads two files, edits one, runs its tests, and reports. In other folders it changes nothing.
 */
import type { ChatRequest, JsonValue, ToolResultPart } from '../../../formats/conversation.ts';
import type { PlannedCall } from './toolCalls.ts';
import type { Turn } from './turn.ts';

/** The tools by which the agent of the chat panel is recognized. */
const NEEDED = ['find_files', 'read_file', 'edit_file', 'run_command', 'update_plan'] as const;

const TEST = 'node --test test/quote.test.ts';
/** What the tool answers, in every format, about a command that succeeded. */
const PASSED = 'Exit code 0.';

/** Three changes to `src/quote.ts` of the sample folder. */
const EDITS = [
  {
    old_text: 'const FRAGILE_SURCHARGE = 2.5;',
    new_text: 'const FRAGILE_SURCHARGE = 2.5;\n/** Kilograms. A parcel must weigh more. */\nconst MIN_WEIGHT = 0;',
  },
  {
    old_text: '  const byWeight = chargeableWeight(parcel) * PRICE_PER_KILOGRAM[zone];',
    new_text: [
      '  if (!(parcel.weight > MIN_WEIGHT)) {',
      "    throw new RangeError('the weight must be more than zero');",
      '  }',
      '  const byWeight = chargeableWeight(parcel) * PRICE_PER_KILOGRAM[zone];',
    ].join('\n'),
  },
  {
    old_text: '  const sum = parcels.reduce(',
    new_text: '  if (parcels.length === 0) return 0;\n  const sum = parcels.reduce(',
  },
];

const PLAN = ['Read the quote functions', 'Reject a weight of zero or less', 'Run the tests'];

/** What the sandbox does next: a sentence, with calls unless it is the report. */
export interface TaskStep {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/** Returns undefined if the request is not one of the agent, or the user has named the tools to use. */
export function nextTaskStep({ tools = [] }: ChatRequest, { called, results }: Turn): TaskStep | undefined {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  if (!NEEDED.every((name) => offered.has(name))) return undefined;
  if (called.length > 0 && !called.includes('find_files')) return undefined;
  const step = (text: string, ...calls: readonly (readonly [name: string, args: JsonValue])[]): TaskStep => ({
    text,
    calls: calls.flatMap(([name, args]) => {
      const tool = offered.get(name);
      return tool === undefined ? [] : [{ tool, arguments: JSON.stringify(args) }];
    }),
  });
  if (!called.includes('find_files')) {
    return step('I look for the files first.', ['update_plan', plan(0)], ['find_files', { pattern: 'src/**/*.ts' }]);
  }
  if (!called.includes('read_file')) {
    if (!contain(results, 'src/quote.ts') || !contain(results, 'src/parcel.ts')) return step(ELSEWHERE);
    return step('', ['read_file', { path: 'src/quote.ts' }], ['read_file', { path: 'src/parcel.ts' }]);
  }
  if (!called.includes('edit_file')) {
    if (contain(results, 'MIN_WEIGHT')) return step('The check is already there, so there is nothing to do.');
    return step(
      'The check belongs in `quote`, so both functions use it.',
      ['update_plan', plan(1)],
      ['edit_file', { path: 'src/quote.ts', edits: EDITS }],
    );
  }
  if (!called.includes('run_command')) return step('', ['update_plan', plan(2)], ['run_command', { command: TEST }]);
  const passed = contain(results.slice(called.lastIndexOf('run_command')), PASSED);
  if (passed && called.at(-1) === 'run_command') return step('', ['update_plan', plan(PLAN.length)]);
  return step(reportOf(passed));
}

const ELSEWHERE =
  'This is the sandbox, not a real model. Its task needs the files of the sample folder, which are not here, so it has changed nothing. With a key, a model works in this folder.';

function plan(current: number): JsonValue {
  const stateOf = (index: number) => (index < current ? 'done' : index === current ? 'current' : 'open');
  return { items: PLAN.map((text, index) => ({ text, state: stateOf(index) })) };
}

function contain(results: readonly ToolResultPart[], text: string): boolean {
  return results.some((result) => textOf(result).includes(text));
}

function reportOf(passed: boolean): string {
  return [
    'This is the sandbox, not a real model. It did a prepared task:',
    '',
    '- `quote` in `src/quote.ts` now rejects a weight of zero or less, and `quoteAll` returns 0 for an empty basket.',
    passed
      ? '- The tests pass.'
      : `- The command \`${TEST}\` did not pass or was not allowed, so the change is not tested.`,
  ].join('\n');
}

function textOf({ content }: ToolResultPart): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
