/**
 * Repairs the bytes of a body. Of a long one, only its short members are parsed, because parsing and writing a long
 * conversation would keep all other requests waiting.
 */
import { isRecord, type JsonRecord, parseJson } from '../../../formats/json.ts';
import { applicable, isDeep, isRepairable, repairAll } from '../../../formats/repairs/repair.ts';
import { ObjectScanner } from '../../http/objectScanner.ts';
import { isLong } from '../../http/turns.ts';
import { withMember, withoutMember } from '../bodyEdits.ts';

/** Longer members of a long body are conversations and tools. In bytes. */
const MAX_PARSED = 16 * 1024;

export interface RepairedBody {
  /** Undefined if nothing had to be changed. */
  readonly bytes?: Buffer;
  /** Names of what the caller loses. */
  readonly lost: readonly string[];
}

/** @param sets sets of changes. A set is made only if the body has something for each of its changes. */
export function repairedBody(body: Buffer, sets: readonly (readonly string[])[]): RepairedBody {
  if (!isLong(body)) return rewritten(body, sets);
  const short = shortMembers(body);
  const isShallow = (changes: readonly string[]) =>
    changes.every((change) => !isDeep(change) || (changes.length === 1 && isRepairable(short, change)));
  const ofShort = sets.filter(isShallow);
  const { body: repaired, lost } = repairAll(short, applicable(short, ofShort));
  const spliced = withChanges(body, short, repaired);
  const others = sets.filter((changes) => !ofShort.includes(changes));
  const rest = others.length > 0 ? rewritten(spliced, others) : undefined;
  return {
    ...(spliced !== body && { bytes: spliced }),
    ...rest,
    lost: [...new Set([...lost, ...(rest?.lost ?? [])])],
  };
}

/** @returns undefined if the bytes are not an object. */
export function parsedBody(bytes: Buffer): JsonRecord | undefined {
  const body = parseJson(bytes.toString());
  return isRecord(body) ? body : undefined;
}

function rewritten(bytes: Buffer, sets: readonly (readonly string[])[]): RepairedBody {
  const body = parsedBody(bytes);
  if (body === undefined) return { lost: [] };
  const { body: changed, lost } = repairAll(body, applicable(body, sets));
  return changed === body ? { lost } : { bytes: Buffer.from(JSON.stringify(changed)), lost };
}

function shortMembers(bytes: Buffer): JsonRecord {
  const scanner = new ObjectScanner();
  scanner.push(bytes);
  const short = scanner.members.filter(({ start, end }) => end - start <= MAX_PARSED);
  return Object.fromEntries(
    short.map(({ name, start, end }) => [name, parseValue(bytes.toString('utf8', start, end))]),
  );
}

function parseValue(json: string): unknown {
  const wrapped = parseJson(`[${json}]`);
  return Array.isArray(wrapped) ? wrapped[0] : undefined;
}

function withChanges(bytes: Buffer, before: JsonRecord, after: JsonRecord): Buffer {
  let changed = bytes;
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changed = withoutMember(changed, name);
  for (const [name, value] of Object.entries(after)) {
    if (value !== before[name]) changed = withMember(changed, name, JSON.stringify(value));
  }
  return changed;
}
