import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { ROOT } from '../../../../../scripts/lib/paths.ts';
import { starterOf, TASKS } from '../../../../../src/chat/prompts/starterTexts.ts';
import type { Message, Tool, ToolCallPart } from '../../../../../src/formats/conversation.ts';
import { SAMPLE_CODE } from '../../../../../src/rules/sampleCode.ts';
import { answerOf, formatNames, quickSandbox, textOf } from './ask.ts';

const TOOLS: readonly Tool[] = ['find_files', 'read_file', 'edit_file', 'run_command', 'update_plan'].map((name) => ({
  name,
  parameters: { type: 'object' },
}));
const execFileAsync = promisify(execFile);
const FILE = { label: 'quote.ts', path: 'src/quote.ts' };
const SAMPLE_FOLDER = join(ROOT, 'test', 'fixtures', 'workspace');

type Results = (call: ToolCallPart) => string;

describe('the sandbox’s tasks for the agent', () => {
  afterEach(() => l10n.config({ contents: {} }));

  for (const format of formatNames) {
    for (const id of TASKS) {
      it(`do what the suggested prompt says, and complete their plan if the tests pass: ${id}, ${format}`, async () => {
        const { calls, report, files } = await perform(starterOf(id, FILE).draft, { format });
        assert.deepEqual([...new Set(calls.map(({ name }) => name))], NAMES);
        assert.deepEqual(statesOf(calls.at(-1)), ['done', 'done', 'done']);
        assert.match(report, /The tests pass\.$/);
        const changed = { fix: 'src/quote.ts', tests: 'test/quote.test.ts', readme: 'README.md' }[id as 'fix'];
        assert.ok(files.has(changed));
        assert.match(report, new RegExp(changed));
      });
    }

    it(`report tests that fail: ${format}`, async () => {
      const { calls, report } = await perform(starterOf('fix', FILE).draft, { format, ofCommand: 'Exit code 1.' });
      assert.equal(calls.at(-1)?.name, 'run_command');
      assert.match(report, /did not pass or were not allowed/);
    });
  }

  for (const language of ['de', 'zh-cn']) {
    it(`are recognized and reported in the language of the prompt: ${language}`, async () => {
      const contents = readFileSync(join(ROOT, 'l10n', `bundle.l10n.${language}.json`), 'utf8');
      l10n.config({ contents });
      for (const id of TASKS) {
        const { files, report } = await perform(starterOf(id, FILE).draft, {});
        assert.ok(files.size > 0, id);
        assert.match(report, language === 'de' ? /vorbereitet/ : /预先准备/);
      }
    });
  }

  it('leave tests that pass', async () => {
    const { files: fixed } = await perform(starterOf('fix', FILE).draft, {});
    const { files } = await perform(starterOf('tests', FILE).draft, { files: fixed });
    const folder = await mkdtemp(join(tmpdir(), 'sample-'));
    try {
      await cp(SAMPLE_FOLDER, folder, { recursive: true });
      for (const [path, text] of files) await writeFile(join(folder, path), text);
      // Without the variables with which a test runner tells its own processes apart.
      const env = { PATH: process.env.PATH };
      const { stdout } = await execFileAsync(process.execPath, ['--test', 'test/quote.test.ts'], { cwd: folder, env });
      assert.match(stdout, /pass 6\b/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fix another bug than the prepared answer, so that they also do something after it', async () => {
    const improved = SAMPLE_CODE.replace(
      'parcels.length >= 5 ? Math.round(sum * 90) / 100 : sum',
      '0; // DISCOUNT_FROM',
    );
    const { files } = await perform(starterOf('fix', FILE).draft, { files: new Map([[FILE.path, improved]]) });
    assert.match(files.get(FILE.path) ?? '', /ParcelError.*DISCOUNT_FROM/s);
  });

  it('change nothing for another question, and name the tasks', async () => {
    const { calls, report } = await perform('Fix the discount for five parcels', {});
    assert.deepEqual(calls, []);
    assert.match(report, /three prepared tasks/);
  });

  it('change nothing in another folder', async () => {
    const { files, report } = await perform(starterOf('fix', FILE).draft, { ofSearch: 'src/main.ts' });
    assert.equal(files.size, 0);
    assert.match(report, /files of the sample folder/);
  });

  it('change nothing a second time', async () => {
    for (const id of TASKS) {
      const { files } = await perform(starterOf(id, FILE).draft, {});
      const again = await perform(starterOf(id, FILE).draft, { files });
      assert.match(again.report, /already there/);
    }
  });
});

const NAMES = ['update_plan', 'find_files', 'read_file', 'edit_file', 'run_command'];

interface Setting {
  readonly format?: (typeof formatNames)[number];
  readonly ofCommand?: string;
  readonly ofSearch?: string;
  /** Files that differ from those of the sample folder. */
  readonly files?: ReadonlyMap<string, string>;
}

/** Runs a task to its report, over the sample folder. */
async function perform(text: string, setting: Setting) {
  const { format = 'messages', ofCommand = 'Exit code 0.', ofSearch = SEARCH, files: before = new Map() } = setting;
  const files = new Map<string, string>(before);
  const contentOf = (path: string) => files.get(path) ?? readFileSync(join(SAMPLE_FOLDER, path), 'utf8');
  const resultOf: Results = ({ name, arguments: written }) => {
    const { path, edits = [] } = JSON.parse(written);
    if (name === 'find_files') return ofSearch;
    if (name === 'run_command') return ofCommand;
    if (name === 'read_file') return contentOf(path);
    for (const { old_text, new_text } of edits) {
      assert.equal(contentOf(path).split(old_text).length, 2, old_text);
      files.set(path, contentOf(path).replace(old_text, new_text));
    }
    return 'Done.';
  };
  const sandbox = quickSandbox();
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text }] }];
  const calls: ToolCallPart[] = [];
  for (;;) {
    const answer = await answerOf(sandbox, { format, request: { tools: TOOLS, messages } });
    const asked = answer.parts.filter((part) => part.type === 'toolCall');
    if (asked.length === 0) return { calls, report: textOf(answer), files };
    calls.push(...asked);
    const results = asked.map((call) => ({
      type: 'toolResult' as const,
      toolCallId: call.id,
      content: [{ type: 'text' as const, text: resultOf(call) }],
    }));
    messages.push({ role: 'assistant', parts: answer.parts }, { role: 'tool', parts: results });
  }
}

const SEARCH = 'README.md\nsrc/parcel.ts\nsrc/quote.ts\nsrc/session.ts\ntest/quote.test.ts';

function statesOf(call: ToolCallPart | undefined): string[] {
  const { items } = JSON.parse(call?.arguments ?? '{}');
  return items.map(({ state }: { state: string }) => state);
}
