/**
 * Repairs the bytes of a body. Of a long one, only its short members are parsed, because parsing and writing a long
 * conversation would keep all other requests waiting.
 */
import { isRecord, parseJson } from '../../../formats/json.ts';
import { refusedMembers } from '../../../formats/repairs/refusal.ts';
import { type JsonObject, repair, repairAll } from '../../../formats/repairs/repair.ts';
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

export function repairedBody(body: Buffer, refused: readonly string[]): RepairedBody {
  if (!isLong(body)) return rewritten(body, refused);
  const short = shortMembers(body);
  const ofShort = refused.filter((member) => repair(short, member) !== undefined);
  const { body: repaired, lost } = repairAll(short, ofShort);
  const spliced = withChanges(body, short, repaired);
  const others = refused.filter((member) => !ofShort.includes(member));
  const rest = others.some(isBelow) ? rewritten(spliced, others) : undefined;
  return {
    ...(spliced !== body && { bytes: spliced }),
    ...rest,
    lost: [...lost, ...(rest?.lost ?? [])],
  };
}

/** Returns the members of the body that the answer refuses and that may be repaired. */
export function refusedInBody(answer: string, body: Buffer): readonly string[] {
  const ofShort = isLong(body) ? refusedMembers(answer, shortMembers(body)) : [];
  if (ofShort.length > 0) return ofShort;
  const whole = parseJson(body.toString());
  return isRecord(whole) ? refusedMembers(answer, whole) : [];
}

/** Members that can be in the conversation. */
const BELOW =
  /^(?:reasoning|reasoning_content|reasoning_details|name|cache_control|strict|role:.*|messages:.*|tool_call_id)$/;

function isBelow(member: string): boolean {
  return BELOW.test(member);
}

function rewritten(bytes: Buffer, refused: readonly string[]): RepairedBody {
  const body = parseJson(bytes.toString());
  if (!isRecord(body)) return { lost: [] };
  const { body: changed, lost } = repairAll(body, refused);
  return changed === body ? { lost } : { bytes: Buffer.from(JSON.stringify(changed)), lost };
}

function shortMembers(bytes: Buffer): JsonObject {
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

function withChanges(bytes: Buffer, before: JsonObject, after: JsonObject): Buffer {
  let changed = bytes;
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changed = withoutMember(changed, name);
  for (const [name, value] of Object.entries(after)) {
    if (value !== before[name]) changed = withMember(changed, name, JSON.stringify(value));
  }
  return changed;
}
