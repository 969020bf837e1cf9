import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { ROOT } from '../../../../../scripts/lib/paths.ts';
import { propose } from '../../../../../src/chat/apply/proposal.ts';
import { QUESTIONS, starterOf } from '../../../../../src/chat/prompts/starterTexts.ts';
import { describeAttachment } from '../../../../../src/chat/request.ts';
import { hunksBetween } from '../../../../../src/chat/review/hunks.ts';
import type { Message } from '../../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { streamSteps } from '../../../../../src/gateway/upstreams/sandbox/answer.ts';
import { SAMPLE_CODE } from '../../../../../src/rules/sampleCode.ts';
import { answerOf, quickSandbox, textOf } from './ask.ts';

const SAMPLE_FOLDER = join(ROOT, 'test', 'fixtures', 'workspace');
const NOTES = { en: /prepared answer/i, de: /Vorbereitete Antwort/, 'zh-cn': /预先准备的回答/ } as const;
const LANGUAGES = ['en', 'de', 'zh-cn'] as const;
const FILE = { label: 'quote.ts', path: 'src/quote.ts' };

function asked(question: string, code = SAMPLE_CODE): Message {
  const attached = describeAttachment({ id: 'a', kind: 'file', ...FILE, languageId: 'typescript', text: code });
  const parts = [attached, question].map((text) => ({ type: 'text' as const, text }));
  return { role: 'user', parts };
}

async function answerTo(...messages: readonly Message[]): Promise<string> {
  return textOf(await answerOf(quickSandbox(), { format: 'messages', request: { messages } }));
}

function codeIn(answer: string): string {
  return /```typescript src\/quote\.ts\n([\s\S]*)\n```/.exec(answer)?.[1] ?? '';
}

describe('The sandbox answers about the sample file', () => {
  afterEach(() => l10n.config({ contents: {} }));

  async function speak(language: (typeof LANGUAGES)[number]): Promise<void> {
    if (language === 'en') return;
    l10n.config({ contents: await readFile(join(ROOT, 'l10n', `bundle.l10n.${language}.json`), 'utf8') });
  }

  it('which is the one in the sample folder', async () => {
    assert.equal(SAMPLE_CODE, await readFile(join(SAMPLE_FOLDER, FILE.path), 'utf8'));
  });

  for (const language of LANGUAGES) {
    for (const id of QUESTIONS) {
      it(`as prepared, to the prompt that the chat suggests: ${id}, ${language}`, async () => {
        await speak(language);
        const lines = (await answerTo(asked(starterOf(id, FILE).draft))).split('\n');
        assert.match(lines.at(-1) ?? '', NOTES[language]);
        assert.ok(lines.length > 5);
      });
    }
  }

  it('with links to the lines that it describes, also after they have moved', async () => {
    const moved = `// A comment\n${SAMPLE_CODE}`;
    const lines = moved.split('\n');
    const answers = await Promise.all(QUESTIONS.map((id) => answerTo(asked(starterOf(id, FILE).draft, moved))));
    const links = answers.join('\n').matchAll(/`src\/quote\.ts:(\d+)`/g);
    const linked = new Set([...links].map(([, line]) => lines[Number(line) - 1]?.trim().split('(')[0]));
    assert.deepEqual(
      linked,
      new Set(['export function quote', 'export function quoteAll', 'return parcels.length >= 5 ? Math.round']),
    );
  });

  it('with an edit in two parts that fixes what the explanation warns about', async () => {
    const { quoteAll } = await import(pathToFileURL(join(SAMPLE_FOLDER, FILE.path)).href);
    const parcel = { length: 24, width: 17, height: 3, weight: 0.6, fragile: false };
    const three = [parcel, parcel, parcel];
    assert.match(
      await answerTo(asked(starterOf('explain', FILE).draft)),
      new RegExp(String(quoteAll(three, 'national'))),
    );
    const proposed = propose(SAMPLE_CODE, codeIn(await answerTo(asked(starterOf('improve', FILE).draft)))) ?? '';
    assert.equal(hunksBetween(SAMPLE_CODE, proposed).length, 2);
    const folder = await mkdtemp(join(tmpdir(), 'sample-'));
    try {
      await cp(join(SAMPLE_FOLDER, 'src'), folder, { recursive: true });
      await writeFile(join(folder, 'improved.ts'), proposed);
      const improved = await import(pathToFileURL(join(folder, 'improved.ts')).href);
      assert.equal(improved.quoteAll(three, 'national'), 17.7);
      assert.equal(improved.quoteAll([...three, parcel, parcel], 'local'), 15.75);
    } finally {
      await rm(folder, { recursive: true });
    }
    const again = await answerTo(asked(starterOf('improve', FILE).draft, proposed));
    assert.match(again, /nothing to change/);
    assert.doesNotMatch(await answerTo(asked(starterOf('explain', FILE).draft, proposed)), /17\.7/);
    const checked = `${proposed}class ParcelError {}`;
    assert.doesNotMatch(await answerTo(asked(starterOf('explain', FILE).draft, checked)), /watch out/);
  });

  for (const [question, answer] of [
    ['Why is it a tenth?', /three prepared answers/],
    ['Warum ist das ein Zehntel?', /drei vorbereitete Antworten/],
    ['为什么是十分之一？', /三个预先准备的回答/],
  ] as const) {
    it(`briefly and honestly, to any other question, also a later one: ${question}`, async () => {
      assert.match(await answerTo(asked(question)), answer);
      const later: Message = { role: 'user', parts: [{ type: 'text', text: question }] };
      assert.match(
        await answerTo(asked('Hello'), { role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] }, later),
        answer,
      );
    });
  }

  it('no longer as prepared once its prices were changed', async () => {
    const changed = SAMPLE_CODE.replace('local: 1.2', 'local: 1.3');
    assert.match(await answerTo(asked(starterOf('explain', FILE).draft, changed)), /received this through/);
  });

  it('at a pace at which it can be read', () => {
    const pauses = [false, true].map((isPrepared) => {
      const usage = { inputTokens: 1, outputTokens: 2 };
      const parts = [{ type: 'text', text: 'one two' } as const];
      const response = { id: 'a', model: 'm', parts, finishReason: 'stop', usage } as const;
      const answer = { response, isPrepared, usage, headers: {}, course: undefined, settle: () => undefined };
      const context = { request: { model: 'm', system: [], messages: [] }, now: 0 };
      const steps = [...streamSteps(answer, wireFormats.messages.createStreamEncoder(context), 12)];
      return steps.find((step) => step.type === 'wait')?.ms;
    });
    assert.deepEqual(pauses, [12, 30]);
  });
});
