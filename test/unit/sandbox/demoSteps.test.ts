import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRequest, Message, Tool } from '../../../src/formats/conversation.ts';
import { nextTaskStep } from '../../../src/sandbox/agentTask.ts';
import { readTurn } from '../../../src/sandbox/turn.ts';

const SAMPLE = join(import.meta.dirname, '../../fixtures/workspace');
const SKILL = readFileSync(
  join(import.meta.dirname, '../../fixtures/customizations/.agents/skills/release-notes/SKILL.md'),
  'utf8',
);
const READING = ['find_files', 'read_file', 'search_text', 'get_problems'];
const ALL = [...READING, 'use_skill', 'create_file', 'run_command', 'check_command', 'run_helpers'];

type Args = Readonly<Record<string, string>>;
type Results = Readonly<Record<string, (args: Args) => string>>;

const readFile = ({ path = '' }: Args) =>
  readFileSync(join(SAMPLE, path), 'utf8')
    .split('\n')
    .map((line, index) => `${index + 1}\t${line}`)
    .join('\n');

/** Does what the sandbox asks for, as the panel's agent does. */
function perform(question: string, names: readonly string[], results: Results = {}) {
  const tools: readonly Tool[] = names.map((name) => ({ name, parameters: { type: 'object' } }));
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: question }] }];
  const calls: { readonly name: string; readonly args: Args }[] = [];
  for (let step = 0; step < 10; step += 1) {
    const request: ChatRequest = { model: 'm', system: [], messages, tools };
    const next = nextTaskStep(request, readTurn(request)) ?? assert.fail('It is no task.');
    if (next.calls.length === 0) return { calls, report: next.text };
    const called = next.calls.map(({ tool, arguments: written }, index) => ({
      id: `${step}_${index}`,
      name: tool.name,
      args: JSON.parse(written) as Args,
    }));
    calls.push(...called);
    messages.push({
      role: 'assistant',
      parts: called.map(({ id, name, args }) => ({ type: 'toolCall', id, name, arguments: JSON.stringify(args) })),
    });
    messages.push({
      role: 'tool',
      parts: called.map(({ id, name, args }) => ({
        type: 'toolResult',
        toolCallId: id,
        content: [{ type: 'text', text: (results[name] ?? readFile)(args) }],
      })),
    });
  }
  return assert.fail('It does not end.');
}

const namesOf = ({ calls }: ReturnType<typeof perform>) => calls.map(({ name }) => name);

describe('the sandbox’s tasks that show one ability of the agent', () => {
  it('use a skill, and do what it says', () => {
    const done = perform('Write the release notes', ALL, { use_skill: () => SKILL, create_file: () => 'Created.' });
    assert.deepEqual(namesOf(done), ['use_skill', 'read_file', 'read_file', 'create_file']);
    assert.match(
      done.calls.at(-1)?.args.content ?? '',
      /^# Release notes\n\n- `quote`: What a parcel costs in euros\.\n/,
    );
    assert.match(done.report, /as the skill `release-notes` says/);
    const missing = perform('Write the release notes', ALL, { use_skill: () => 'There is no skill release-notes.' });
    assert.match(missing.report, /files of the sample folder/);
  });

  it('review with the tools of an agent that only reads', () => {
    const done = perform('Review `src/quote.ts`', READING);
    assert.deepEqual(namesOf(done), ['read_file', 'read_file']);
    assert.match(done.report, /accepts a weight of zero or less/);
  });

  it('give files to helpers, which are the sandbox, too', () => {
    const ofHelpers = ({ helpers }: Record<string, unknown>) =>
      (helpers as readonly Args[]).map(({ task = '' }) => `## x\n${perform(task, READING).report}`).join('\n\n');
    const done = perform('Let helpers read `src`', ALL, { run_helpers: ofHelpers });
    assert.deepEqual(namesOf(done), ['run_helpers']);
    assert.match(
      done.report,
      /- `src\/parcel\.ts` has 16 lines and exports `Parcel`, `chargeableWeight`\.\n- `src\/quote/,
    );
  });

  it('start a server, wait for it, ask it, and stop it', () => {
    const said: Record<string, string> = { wait: 'ready on 4711', stop: 'c1 was stopped.' };
    const done = perform('Start a server', ALL, {
      run_command: ({ background }) =>
        background
          ? 'The command goes on in the background as c1, …'
          : 'Exit code 0.\n# Parcel desk\n\nPrices parcels.',
      check_command: ({ stop }) => said[stop ? 'stop' : 'wait'] ?? '',
    });
    assert.deepEqual(namesOf(done), ['run_command', 'check_command', 'run_command', 'check_command']);
    assert.match(done.calls[2]?.args.command ?? '', /127\.0\.0\.1:4711/);
    assert.match(done.report, /the README of “Parcel desk”/);
  });

  it('say that they are not done if a command was denied, and stop a server that is never ready', () => {
    const denied = perform('Start a server', ALL, { run_command: () => 'The user denied this.' });
    assert.deepEqual(namesOf(denied), ['run_command']);
    assert.match(denied.report, /was not allowed/);
    const silent = perform('Start a server', ALL, {
      run_command: () => 'The command goes on in the background as c1, …',
      check_command: () => 'It prints nothing.',
    });
    assert.deepEqual(namesOf(silent), ['run_command', 'check_command', 'check_command']);
    assert.match(silent.report, /did not work/);
  });

  for (const [question, word] of [
    ['Schreibe die Versionshinweise', 'Skill'],
    ['编写发行说明', '技能'],
  ] as const) {
    it(`are reported in the language of the question: ${question}`, () => {
      const { report } = perform(question, ALL, { use_skill: () => SKILL, create_file: () => 'Created.' });
      assert.match(report, new RegExp(word));
    });
  }
});
