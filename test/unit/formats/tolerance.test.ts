import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent, responseEvents } from '../../../src/formats/answer.ts';
import { FormatError } from '../../../src/formats/apiError.ts';
import type { FormatName } from '../../../src/formats/conversation.ts';
import { wireFormats } from '../../../src/formats/index.ts';
import { eventsIn, formatServerSentEvent, type ServerSentEvent } from '../../../src/formats/serverSentEvents.ts';
import { runs } from '../../support/randomRuns.ts';
import { readEvents } from './streams.ts';

type Path = readonly (string | number)[];
type Json = Record<string, unknown>;

const FIXTURES: Readonly<Record<FormatName, readonly string[]>> = {
  'chat-completions': [
    'chatCompletions/fixtures/reasoningThenTools.txt',
    'chatCompletions/fixtures/sealedReasoning.txt',
  ],
  messages: ['messages/fixtures/thinkingAndTools.txt'],
  responses: ['responses/fixtures/reasoningAndTools.txt'],
};

const REPLACEMENTS: Readonly<Record<string, unknown>> = {
  absent: undefined,
  null: null,
  'a number': 7,
  'a text': 'word',
  'a list': ['word', 8],
  'an object': { other: 1 },
  'a boolean': true,
};

/** Texts of the output, in all formats. */
const TEXTS = new Set([
  ...['content', 'text', 'refusal', 'reasoning_content', 'reasoning', 'thinking', 'arguments', 'partial_json', 'delta'],
]);
/** Without them, nobody knows what the members beside them are. */
const IDENTIFYING = new Set(['type', 'name', 'event']);
/** Members that say how or whether the answer ended, or that contain them. */
const ENDING = new Set([
  ...['finish_reason', 'stop_reason', 'status', 'incomplete_details', 'reason', 'choices', 'type', 'delta', 'response'],
  ...['error', 'index'],
]);

function* membersOf(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    yield at;
    yield* membersOf(member, at);
  }
}

function replaced(json: unknown, path: Path, value: unknown): unknown {
  const copy: unknown = structuredClone(json);
  let parent = copy as Json;
  for (const name of path.slice(0, -1)) parent = parent[name] as Json;
  const last = path.at(-1) ?? '';
  if (value !== undefined) parent[last] = structuredClone(value);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

function at(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], json);
}

interface Facts {
  readonly text: string;
  readonly calls: readonly string[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  readonly finish: string | undefined;
  readonly error: string | undefined;
}

function factsOf(events: readonly ChatEvent[]): Facts {
  const of = <Type extends ChatEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<ChatEvent, { type: Type }> => event.type === type);
  const text = events.map((event) => ('text' in event ? event.text : 'arguments' in event ? event.arguments : ''));
  const { inputTokens, outputTokens } = of('usage').at(-1)?.usage ?? {};
  return {
    text: text.join('\u0000'),
    calls: of('toolCallStart').map(({ name }) => name),
    usage: inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens },
    finish: of('finish')[0]?.reason,
    error: of('error')[0]?.error.message,
  };
}

/** The pieces of the output in a stream or an answer, without those below a path. Events that repeat others have none. */
function piecesIn(json: unknown, without: Path): string[] {
  if (typeof json === 'object' && json !== null && 'type' in json) {
    if (/\.done$|^response\.(?:created|in_progress|completed)$/.test(String(json.type))) return [];
  }
  const isBelow = (path: Path) => without.every((name, place) => path[place] === name);
  return [...membersOf(json)].flatMap((path) => {
    const value = at(json, path);
    const name = path.findLast((each) => typeof each === 'string');
    if (typeof value !== 'string' || !TEXTS.has(name ?? '') || (without.length > 0 && isBelow(path))) return [];
    return /usage|logprobs|annotations|instructions|description|parameters|format/.test(path.join('.')) ? [] : [value];
  });
}

function isPiece(json: unknown, path: Path): boolean {
  const was = at(json, path);
  return (
    typeof was === 'string' && was !== '' && piecesIn(json, []).includes(was) && !piecesIn(json, path).includes(was)
  );
}

interface Case {
  readonly name: string;
  readonly path: Path;
  readonly value: unknown;
  /** What was there. */
  readonly was: unknown;
  /** Whether that is a piece of the output. */
  readonly isOutput: boolean;
  readonly pieces: readonly string[];
  readonly read: () => Facts;
}

function checkCase(whole: Facts, { name, path, value, was, isOutput, pieces, read }: Case): void {
  const facts = read();
  const member = String(path.findLast((each) => typeof each === 'string'));
  const missing = pieces.filter((piece) => piece !== was && whole.text.includes(piece) && !facts.text.includes(piece));
  // An object of an unknown type is not of this version of the format, and is named as dropped.
  if (member === 'type' && value === 'word') return;
  const isClean = facts.error === undefined && facts.finish !== undefined;
  assert.ok(facts.error !== undefined || facts.finish !== undefined, `${name}: it ends`);
  if (missing.length > 0) assert.ok(!isClean, `${name}: no clean end without ${JSON.stringify(missing)}`);
  if (!IDENTIFYING.has(member) && facts.finish !== undefined) assert.deepEqual(missing, [], `${name}: other output`);
  // Arguments as an object are read.
  const isUnreadable = typeof value === 'object' && value !== null && member !== 'arguments';
  if (isOutput && isUnreadable) assert.ok(!isClean, `${name}: no clean end without its own output`);
  const isAboutUsage = path.some((each) => /usage|tokens/.test(String(each)));
  if (isClean && !isAboutUsage && !['message', 'response', 'type'].includes(member)) {
    assert.deepEqual(facts.usage, whole.usage, `${name}: usage`);
  }
  if (isAboutUsage && whole.usage !== undefined && /_tokens/.test(member)) assert.ok(facts.usage, `${name}: usage`);
  if (isClean && !ENDING.has(member) && typeof was !== 'object')
    assert.equal(facts.finish, whole.finish, `${name}: finish`);
}

function casesOfStream(format: FormatName, text: string): Case[] {
  const events = eventsIn(Buffer.from(text));
  const jsons = events.map(({ data }) => (data.startsWith('{') ? (JSON.parse(data) as unknown) : undefined));
  return jsons.flatMap((json, nth) =>
    [...membersOf(json)].flatMap((path) =>
      Object.entries(REPLACEMENTS).map(([kind, value]) => ({
        name: `event ${nth}, ${path.join('.')} is ${kind}`,
        path,
        value,
        was: at(json, path),
        isOutput: isPiece(json, path),
        pieces: jsons.flatMap((each, place) => piecesIn(each, place === nth ? path : [])),
        read: () => {
          const changed = events.map(
            (event, place): ServerSentEvent =>
              place === nth ? { ...event, data: JSON.stringify(replaced(json, path, value)) } : event,
          );
          return factsOf(readEvents(wireFormats[format], changed.map(formatServerSentEvent).join('')));
        },
      })),
    ),
  );
}

function readWhole(format: FormatName, body: unknown): Facts {
  try {
    return factsOf([...responseEvents(wireFormats[format].decodeResponse(body))]);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { text: '', calls: [], usage: undefined, finish: undefined, error: error.message };
  }
}

function casesOfAnswer(format: FormatName, body: unknown): Case[] {
  return [...membersOf(body)].flatMap((path) =>
    Object.entries(REPLACEMENTS).map(([kind, value]) => ({
      name: `${path.join('.')} is ${kind}`,
      path,
      value,
      was: at(body, path),
      isOutput: isPiece(body, path),
      pieces: piecesIn(body, path),
      read: () => readWhole(format, replaced(body, path, value)),
    })),
  );
}

for (const format of ['chat-completions', 'messages', 'responses'] as const) {
  for (const file of FIXTURES[format]) {
    describe(`An answer in ${format} with a member of another type (${file.split('/').at(-1)})`, () => {
      const recorded = readFileSync(new URL(file, import.meta.url), 'utf8');
      const events = readEvents(wireFormats[format], recorded);

      it('keeps all other output in a stream, and ends cleanly only if nothing was lost', () => {
        const cases = casesOfStream(format, recorded);
        const whole = factsOf(events);
        fc.assert(
          fc.property(fc.constantFrom(...cases), (each) => checkCase(whole, each)),
          { numRuns: runs(150) },
        );
      });

      it('keeps all other output in a whole answer, and is an error only if something was lost', () => {
        const context = { request: { model: 'm', system: [], messages: [] }, now: 1 };
        const body: unknown = JSON.parse(
          JSON.stringify(wireFormats[format].encodeResponse(assembleResponse(events), context)),
        );
        const whole = readWhole(format, body);
        assert.equal(whole.error, undefined);
        fc.assert(
          fc.property(fc.constantFrom(...casesOfAnswer(format, body)), (each) => checkCase(whole, each)),
          { numRuns: runs(150) },
        );
      });
    });
  }
}
