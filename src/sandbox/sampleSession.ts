/** What a sample agent sends in one session, to show what fills a context without an agent or a key. */
import type { JsonObject } from '../formats/json.ts';

const SAMPLE_MODEL = 'familya-sonnet-4.6';
export const SAMPLE_STEPS = 36;
/** Steps, counted from 0: when a server connects, and when the context is compacted. */
const [CONNECTED, COMPACTED] = [9, 26];
const MARK = { cache_control: { type: 'ephemeral' } };

interface SampleCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly result: string;
}

type WireMessage = { readonly role: string; readonly content: readonly JsonObject[] };

/** Returns the bodies of the requests of a session in the messages format, one after the other. */
export function* sampleSession(): Generator<JsonObject> {
  let messages: WireMessage[] = [userMessage(INSTRUCTIONS, TASK)];
  for (let step = 0; step < SAMPLE_STEPS; step++) {
    if (step === COMPACTED) messages = [userMessage(INSTRUCTIONS, SUMMARY)];
    yield requestOf(messages, step >= CONNECTED);
    messages.push(...answered(callOf(step), step));
  }
}

/** As agents do it, the end of the system prompt and the last message are marked for the cache. */
function requestOf(messages: readonly WireMessage[], isConnected: boolean): JsonObject {
  const last = messages.at(-1);
  const marked = last && {
    ...last,
    content: last.content.map((part, at) => (at === last.content.length - 1 ? { ...part, ...MARK } : part)),
  };
  return {
    model: SAMPLE_MODEL,
    max_tokens: 400,
    system: [{ type: 'text', text: SYSTEM, ...MARK }],
    tools: [...OWN_TOOLS, ...ISSUES, ...(isConnected ? RATES : [])],
    messages: [...messages.slice(0, -1), ...(marked === undefined ? [] : [marked])],
  } as unknown as JsonObject;
}

function answered({ name, input, result }: SampleCall, step: number): readonly WireMessage[] {
  const id = `toolu_sample_${step}`;
  const content = [
    { type: 'text', text: `Step ${step + 1} of the plan.` },
    { type: 'tool_use', id, name, input },
  ];
  return [
    { role: 'assistant', content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
  ];
}

function userMessage(...texts: readonly string[]): WireMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

/** The agent reads a file twice, runs all tests, and otherwise reads, edits, and looks up rates. */
function callOf(step: number): SampleCall {
  if (step === 0 || step === 7) return readOf('src/quote.ts', QUOTE);
  if (step === 3) return { name: 'Bash', input: { command: 'npm test' }, result: TEST_LOG };
  if (step > CONNECTED && step % 8 === 0) {
    return {
      name: 'mcp__rates__lookup',
      input: { zone: `Z${step}` },
      result: `{"zone":"Z${step}","base":${step}.5,"per_kg":0.9}`,
    };
  }
  if (step % 3 === 2) {
    const input = { file_path: `src/zones/zone${step}.ts`, old_string: 'fixed', new_string: `surcharge(${step})` };
    return { name: 'Edit', input, result: 'The file was changed.' };
  }
  return readOf(`src/zones/zone${step}.ts`, codeOf(step));
}

function readOf(path: string, result: string): SampleCall {
  return { name: 'Read', input: { file_path: path }, result };
}

function repeated(count: number, line: (nth: number) => string): string {
  return Array.from({ length: count }, (_, nth) => line(nth + 1)).join('\n');
}

function codeOf(zone: number): string {
  return repeated(
    18,
    (nth) => `export const band${zone}x${nth} = { from: ${nth * 5}, price: ${(zone + nth * 1.35).toFixed(2)} };`,
  );
}

function toolOf(name: string, purpose: string, ...members: readonly string[]): JsonObject {
  const properties = Object.fromEntries(
    members.map((member) => [
      member,
      { type: 'string', description: `The ${member} that the call is about, exactly as written.` },
    ]),
  );
  const description = `${purpose} ${USE}`;
  return { name, description, input_schema: { type: 'object', properties, required: [...members] } };
}

const USE =
  'Use this only if the task requires it. State what you expect before the call, check the result after it, and do not repeat a call whose result is already in the conversation.';
const TASK = 'Add a surcharge for each zone, and change the tests with it.';
const SYSTEM = `You are an agent that changes code in a folder.\n${repeated(60, (nth) => `${nth}. Read what you change first. Change one place at a time, and run the tests that the change affects.`)}`;
const INSTRUCTIONS = `Contents of /sample/AGENTS.md (project instructions):\n\n${repeated(28, (nth) => `- Rule ${nth}: prices are in euros with two decimals, and rounded only at the end.`)}`;
const SUMMARY = `This session is being continued from a previous conversation that ran out of context.\n${repeated(24, (nth) => `${nth}. The surcharge of this zone is written, and its tests pass.`)}`;
const QUOTE = repeated(
  70,
  (nth) => `export function quoteOf${nth}(weight: number): number { return weight * ${nth}.25 + base(${nth}); }`,
);
const TEST_LOG = repeated(420, (nth) => `ok ${nth} - parcel of ${nth} kg by road, in ${(nth % 9) + 1} ms`);
const OWN_TOOLS: readonly JsonObject[] = [
  toolOf('Read', 'Reads a file of the folder, with the numbers of its lines.', 'file_path'),
  toolOf('Edit', 'Replaces one text in a file by another.', 'file_path', 'old_string', 'new_string'),
  toolOf('Bash', 'Runs a command in a shell, and returns what it prints.', 'command'),
];
const ISSUES = ['create', 'list', 'search', 'get', 'comment', 'close', 'label', 'assign', 'link', 'transfer'].map(
  (verb) =>
    toolOf(
      `mcp__issues__${verb}_issue`,
      `Lets you ${verb} issues of the tracker: those of one repository, of a person, or with a label.`,
      'owner',
      'repository',
      'number',
      'label',
      'assignee',
      'milestone',
      'query',
    ),
);
const RATES = [toolOf('mcp__rates__lookup', 'Returns the current rates of a zone.', 'zone')];
