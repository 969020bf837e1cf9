import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import { AUTOMATIC_LIFETIME_MS, LIFETIME_MS, LOOKBACK_BLOCKS, minimumTokens } from './cacheRules.ts';
import type { BlockList, RequestBlocks } from './requestBlocks.ts';

/** A sent request, with what the comparison needs. Times are in milliseconds on the same clock. */
export interface ComparedRequest {
  readonly blocks: RequestBlocks;
  /** The name that the upstream uses. */
  readonly upstreamModel: string;
  readonly startedAt: number;
  /** Undefined if no answer has arrived. */
  readonly firstByteAt: number | undefined;
  /** All input tokens. Undefined if unknown. */
  readonly inputTokens: number | undefined;
  /** Whether the upstream caches only what is marked. */
  readonly needsMarks: boolean;
}

export interface MissReason {
  readonly reason: CacheMissReason;
  /** The name of the tool or setting that changed. */
  readonly changed?: string;
}

/** A different first message is a compaction if less than this fraction of the messages' bytes is left. */
const COMPACTED_PART = 0.7;
/** Maximum number of blocks to search for what was removed or inserted. */
const MAX_SHIFT = 50;

/** Returns why a cache that contained the earlier request's prompt missed the prefix of the later one. */
export function missReason(before: ComparedRequest, now: ComparedRequest): MissReason {
  return (
    settingsReason(before.blocks, now.blocks) ??
    toolsReason(before.blocks, now.blocks) ??
    systemReason(before.blocks, now.blocks) ??
    messagesReason(before.blocks.messages, now.blocks.messages) ??
    cacheReason(before, now)
  );
}

function toolsReason(before: RequestBlocks, now: RequestBlocks): MissReason | undefined {
  if (before.tools.equals(now.tools)) return undefined;
  const first = before.tools.commonLength(now.tools);
  const changed = now.toolNames[first];
  const isSameSet = sorted(before.tools) === sorted(now.tools);
  return { reason: isSameSet ? 'tools_reordered' : 'tools_changed', ...(changed !== undefined && { changed }) };
}

function sorted(list: BlockList): string {
  return Array.from({ length: list.length }, (_, index) => list.at(index))
    .sort()
    .join();
}

function settingsReason(before: RequestBlocks, now: RequestBlocks): MissReason | undefined {
  const names = new Set([...before.settings.keys(), ...now.settings.keys()]);
  const changed = [...names].find((name) => before.settings.get(name) !== now.settings.get(name));
  return changed === undefined ? undefined : { reason: 'settings_changed', changed };
}

function systemReason(before: RequestBlocks, now: RequestBlocks): MissReason | undefined {
  if (before.system.equals(now.system)) return undefined;
  return { reason: before.maskedSystem === now.maskedSystem ? 'system_volatile' : 'system_changed' };
}

/** Returns undefined if the later messages begin with the earlier ones, or the reverse. */
function messagesReason(before: BlockList, now: BlockList): MissReason | undefined {
  const first = before.commonLength(now);
  if (first === before.length || first === now.length) return undefined;
  if (first === 0 && now.bytes < before.bytes * COMPACTED_PART) return { reason: 'compacted' };
  if (before.isImage(first) && now.isImage(first)) return { reason: 'image_changed' };
  if (isFoundLater(before, first, now)) return { reason: 'history_removed' };
  if (isFoundLater(now, first, before)) return { reason: 'history_inserted' };
  return { reason: 'history_rewritten' };
}

/** Whether the block of `other` at `first` occurs later in `list`. */
function isFoundLater(list: BlockList, first: number, other: BlockList): boolean {
  const wanted = other.at(first);
  const end = Math.min(list.length, first + 1 + MAX_SHIFT);
  for (let index = first + 1; index < end; index++) {
    if (list.at(index) === wanted) return true;
  }
  return false;
}

/** Both requests share the prefix, so the reason is in the cache itself. */
function cacheReason(before: ComparedRequest, now: ComparedRequest): MissReason {
  if (before.firstByteAt === undefined || before.firstByteAt > now.startedAt) return { reason: 'parallel_start' };
  const lifetime = before.blocks.lifetime;
  const lifetimeMs = lifetime === undefined ? AUTOMATIC_LIFETIME_MS : LIFETIME_MS[lifetime];
  if (now.startedAt - before.startedAt > lifetimeMs) return { reason: 'expired' };
  if ((before.inputTokens ?? Number.POSITIVE_INFINITY) < minimumTokens(now.upstreamModel))
    return { reason: 'below_minimum' };
  if (isUnmarked(before, now)) return { reason: 'unmarked' };
  return { reason: isBeyondLookback(before.blocks, now.blocks) ? 'lookback' : 'server' };
}

function isUnmarked(before: ComparedRequest, now: ComparedRequest): boolean {
  return now.needsMarks && !(before.blocks.hasMarks && now.blocks.hasMarks);
}

/** Whether every mark is too far after the last mark of the earlier request. */
function isBeyondLookback(before: RequestBlocks, now: RequestBlocks): boolean {
  if (!now.hasMarks) return false;
  const last = lastMark(before.messages);
  if (last === undefined) return false;
  const distances = marks(now.messages)
    .filter((mark) => mark >= last)
    .map((mark) => positions(now.messages, last, mark));
  return distances.length > 0 && Math.min(...distances) > LOOKBACK_BLOCKS;
}

function marks(list: BlockList): number[] {
  return Array.from({ length: list.length }, (_, index) => index).filter((index) => list.isMarked(index));
}

function lastMark(list: BlockList): number | undefined {
  return marks(list).at(-1);
}

function positions(list: BlockList, from: number, to: number): number {
  let count = 0;
  for (let index = from + 1; index <= to; index++) {
    if (!(list.isToolUse(index) && list.isToolUse(index - 1))) count += 1;
  }
  return count;
}
