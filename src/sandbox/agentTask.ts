/**
 * The steps of the agent's prepared tasks, so that it can be tried without a key: in the sample folder, the sandbox reads
 * files, edits them, runs the tests, and reports. It changes nothing in other folders or for other questions.
 */
import type { ChatRequest, Tool, ToolResultPart } from '../formats/conversation.ts';
import type { JsonValue } from '../formats/json.ts';
import { type PreparedTask, preparedTasks, taskTexts } from './agentTasks.ts';
import { demoStep, type PlannedStep } from './demoSteps.ts';
import { languageOf, readSampleDemo, readSampleTask, type SampleLanguage } from './sampleQuestions.ts';
import type { PlannedCall } from './toolCalls.ts';
import { type SandboxTurn, textOf } from './turn.ts';

/** The tools by which the agent of the chat panel is recognized. */
const NEEDED = ['find_files', 'read_file', 'edit_file', 'run_command', 'update_plan'] as const;

/** Those by which it is recognized if it has no others: an agent of a file, or a helper. */
const READS = ['find_files', 'read_file', 'search_text', 'get_problems'] as const;

const TEST = 'node --test test/quote.test.ts';
/** What the tool answers, in every format, about a command that succeeded. */
const PASSED = 'Exit code 0.';
/** The tools that a prepared task needs, by the names of the agent of the chat panel. */
const NAMES: Readonly<Record<string, string>> = {
  find_files: 'file_search',
  read_file: 'read_file',
  edit_file: 'replace_string_in_file',
  run_command: 'run_in_terminal',
};

/** The most lines of a file that are read. */
const MAX_LINES = 400;

/** What the sandbox does next: a sentence, with calls unless it is the report. */
export interface TaskStep {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/** Returns undefined if the request is not one of the agent, or the user has named the tools to use. */
export function nextTaskStep({ tools = [] }: ChatRequest, turn: SandboxTurn): TaskStep | undefined {
  const { question, results } = turn;
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  const demo = READS.every((name) => offered.has(name)) ? readSampleDemo(question) : undefined;
  if (demo !== undefined) return withTools(demoStep(demo, turn), offered);
  const isOfPanel = NEEDED.every((name) => offered.has(name));
  if (!isOfPanel && !isEditorAgent(offered)) return undefined;
  const called = isOfPanel ? turn.called : panelNames(turn.called);
  if (called.length > 0 && !called.includes('find_files')) return undefined;
  const asked = readSampleTask(question);
  // The editor's agent is answered like any other client.
  if (asked === undefined) return isOfPanel ? { text: taskTexts[languageOf(question)].free, calls: [] } : undefined;
  const { text, calls = [] } = planStep(preparedTasks[asked.id], asked.language, { called, results }, isOfPanel);
  return withTools(
    { text, calls: calls.flatMap((call) => (isOfPanel ? [call] : editorCalls(call, results))) },
    offered,
  );
}

function withTools({ text, calls = [] }: PlannedStep, offered: ReadonlyMap<string, Tool>): TaskStep {
  const planned = calls.flatMap(([name, args]) => {
    const tool = offered.get(name);
    return tool === undefined ? [] : [{ tool, arguments: JSON.stringify(args) }];
  });
  return { text, calls: planned };
}

function planStep(
  task: PreparedTask,
  language: SampleLanguage,
  { called, results }: Pick<SandboxTurn, 'called' | 'results'>,
  hasPlan: boolean,
): PlannedStep {
  const texts = taskTexts[language];
  const { plan, reason, report } = task[language];
  const updatePlan = (current: number) => ['update_plan', planOf(plan, current)] as const;
  if (!called.includes('find_files')) {
    return { text: texts.begin, calls: [updatePlan(0), ['find_files', { pattern: '**/*.{ts,md}' }]] };
  }
  if (!called.includes('read_file')) {
    if (!task.reads.every((path) => contain(results, path))) return { text: texts.elsewhere };
    return { text: '', calls: task.reads.map((path) => ['read_file', { path }]) };
  }
  if (!called.includes('edit_file')) {
    if (contain(results, task.mark)) return { text: texts.done };
    const edits = task.files.map(({ path, edits: replaced }) => ['edit_file', { path, edits: replaced }] as const);
    return { text: reason, calls: [updatePlan(1), ...edits] };
  }
  if (!called.includes('run_command')) {
    return { text: '', calls: [updatePlan(2), ['run_command', { command: TEST }]] };
  }
  const ofCommand = results.slice(called.lastIndexOf('run_command'));
  const passed = contain(ofCommand, PASSED) || ofCommand.some((result) => hasPassed(textOf(result)));
  if (hasPlan && passed && called.at(-1) === 'run_command') return { text: '', calls: [updatePlan(plan.length)] };
  return { text: [texts.prepared, '', `- ${report}`, `- ${passed ? texts.passed : texts.notPassed}`].join('\n') };
}

function planOf(steps: readonly string[], current: number): JsonValue {
  const stateOf = (index: number) => (index < current ? 'done' : index === current ? 'current' : 'open');
  return { items: steps.map((text, index) => ({ text, state: stateOf(index) })) };
}

function contain(results: readonly ToolResultPart[], text: string): boolean {
  return results.some((result) => textOf(result).includes(text));
}

function isEditorAgent(tools: ReadonlyMap<string, Tool>): boolean {
  return Object.values(NAMES).every((name) => tools.has(name));
}

/** Returns the panel's names of the tools that were called. */
function panelNames(called: readonly string[]): readonly string[] {
  return called.map((name) => Object.keys(NAMES).find((own) => NAMES[own] === name) ?? name);
}

/** Whether a result says that all tests have passed. */
function hasPassed(text: string): boolean {
  return /(?:#|ℹ) fail 0\b/.test(text);
}

type PreparedCall = readonly [tool: string, args: JsonValue];

/**
 * Returns a call of the panel's agent as calls of the editor's. Its files have whole paths, which the results of the search
 * contain. The editor's plan is its own.
 */
function editorCalls([name, args]: PreparedCall, results: readonly ToolResultPart[]): readonly PreparedCall[] {
  const given = args as Readonly<Record<string, JsonValue>>;
  const tool = NAMES[name];
  if (tool === undefined) return [];
  switch (name) {
    case 'find_files':
      return [[tool, { query: String(given.pattern) }]];
    case 'read_file':
      return [[tool, { filePath: wholePath(String(given.path), results), startLine: 1, endLine: MAX_LINES }]];
    case 'edit_file':
      return (given.edits as readonly { old_text: string; new_text: string }[]).map(({ old_text, new_text }) => [
        tool,
        { filePath: wholePath(String(given.path), results), oldString: old_text, newString: new_text },
      ]);
    default:
      return [[tool, { command: String(given.command), explanation: 'Runs the tests.', isBackground: false }]];
  }
}

function wholePath(path: string, results: readonly ToolResultPart[]): string {
  const texts = results.flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
  const lines = texts
    .join('\n')
    .split(/[\r\n"<>]+/)
    .map((line) => line.trim());
  return lines.find((line) => line.replaceAll('\\', '/').endsWith(`/${path}`)) ?? path;
}
