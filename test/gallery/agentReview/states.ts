/** The states of the page that reviews changes. */

import type {
  ChangeName,
  ReviewBlock,
  ReviewDecision,
  ReviewedFile,
  ReviewState,
} from '../../../src/pages/agentReview/protocol.ts';
import type { DiffLine } from '../../../src/pages/chat/protocol.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: ReviewState;
}

const STARTED_AT = Date.UTC(2026, 10, 21, 14, 2);

const same = (old: number, now: number, text: string): DiffLine => ({ kind: 'same', text, old, new: now });
const added = (now: number, text: string): DiffLine => ({ kind: 'added', text, new: now });
const removed = (old: number, text: string): DiffLine => ({ kind: 'removed', text, old });

const QUOTE: ReviewedFile = {
  file: 'file:///sample/src/quote.ts',
  name: 'quote.ts',
  folder: 'src',
  change: 'edited',
  isEdited: false,
  exists: true,
  added: 9,
  removed: 2,
  blocks: [
    { type: 'decided', id: 'q1', decision: 'accepted', lines: [8, 11], added: 4, removed: 1 },
    { type: 'same', lines: [same(13, 13, 'export function quote(parcel: Parcel, zone: Zone): number {')] },
    {
      type: 'change',
      id: 'q2',
      lines: [
        removed(14, '  const byWeight = chargeableWeight(parcel) * PRICE_PER_KILOGRAM[zone];'),
        added(14, '  if (!(parcel.weight > MIN_WEIGHT)) {'),
        added(15, '    throw new RangeError(`the weight is below the minimum`);'),
        added(16, '  }'),
        added(17, '  const kilograms = chargeableWeight(parcel);'),
        added(18, '  const byWeight = kilograms * PRICE_PER_KILOGRAM[zone];'),
      ],
      hidden: 0,
    },
    {
      type: 'same',
      lines: [same(15, 19, '  const price = Math.max(byWeight, MIN_PRICE[zone]) + surcharge(parcel);')],
    },
    { type: 'gap', lines: 5 },
    {
      type: 'change',
      id: 'q3',
      lines: [
        removed(21, '  const sum = parcels.reduce((total, parcel) => total + quote(parcel, zone), 0);'),
        added(25, '  if (parcels.length === 0) return 0;'),
        added(26, '  const prices = parcels.map((parcel) => quote(parcel, zone));'),
        added(27, '  const sum = sumOf(prices);'),
      ],
      hidden: 0,
    },
  ],
};

const TEST: ReviewedFile = {
  file: 'file:///sample/test/quote.test.ts',
  name: 'quote.test.ts',
  folder: 'test',
  change: 'edited',
  isEdited: false,
  exists: true,
  added: 9,
  removed: 0,
  blocks: [
    {
      type: 'change',
      id: 't1',
      lines: [
        added(15, "test('a parcel without a weight is rejected', () => {"),
        added(16, "  assert.throws(() => quote({ ...BOOK, weight: 0 }, 'local'), RangeError);"),
        added(17, '});'),
      ],
      hidden: 6,
    },
  ],
};

const CREATED: ReviewedFile = {
  file: 'file:///sample/src/sumOf.ts',
  name: 'sumOf.ts',
  folder: 'src',
  change: 'created',
  isEdited: false,
  exists: true,
  added: 4,
  removed: 0,
  blocks: [
    {
      type: 'change',
      id: 'c1',
      lines: [
        added(1, '/** Adds numbers without the rounding of each step. */'),
        added(2, 'export function sumOf(numbers: readonly number[]): number {'),
        added(3, '  return numbers.reduce((sum, number) => sum + number, 0);'),
        added(4, '}'),
      ],
      hidden: 0,
    },
  ],
};

const DELETED: ReviewedFile = {
  file: 'file:///sample/notes.md',
  name: 'notes.md',
  folder: '',
  change: 'deleted',
  isEdited: false,
  exists: false,
  added: 0,
  removed: 12,
  blocks: [
    {
      type: 'change',
      id: 'd1',
      lines: [removed(1, '# Notes'), removed(2, ''), removed(3, 'Empty parcels are free for now.')],
      hidden: 9,
    },
  ],
};

const BINARY: ReviewedFile = {
  file: 'file:///sample/media/icon.png',
  name: 'icon.png',
  folder: 'media',
  change: 'binary',
  isEdited: false,
  exists: true,
  added: 0,
  removed: 0,
  blocks: [{ type: 'change', id: 'b1', lines: [], hidden: 0 }],
};

/** A file that the user has edited after the run, in its changed lines and elsewhere. */
const EDITED: ReviewedFile = {
  ...QUOTE,
  isEdited: true,
  blocks: QUOTE.blocks.map((block) =>
    block.type === 'change' && block.id === 'q2' ? { ...block, isEdited: true } : block,
  ),
};

/** What an answer proposes, before anything of it is written. The user has edited a proposed line. */
const PROPOSED: ReviewState = { files: [EDITED], cost: 0.0142 };

/** One change, which an answer proposes. */
const ONE_CHANGE: ReviewState = {
  files: [
    {
      ...QUOTE,
      added: 1,
      removed: 1,
      removes: ['surcharge'],
      blocks: [
        {
          type: 'change',
          id: 'o1',
          lines: [removed(3, "const ZONE: Zone = 'local';"), added(3, "const ZONE: Zone = 'abroad';")],
          hidden: 0,
        },
      ],
    },
  ],
  cost: 0.0031,
};

const RENAMED: ReviewedFile = {
  file: 'file:///sample/src/weights.ts',
  name: 'weights.ts',
  folder: 'src',
  change: 'renamed',
  renamedFrom: 'src/chargeableWeight.ts',
  isEdited: false,
  exists: true,
  added: 1,
  removed: 1,
  blocks: [
    {
      type: 'change',
      id: 'r1',
      lines: [
        removed(3, 'export function chargeable(parcel: Parcel): number {'),
        added(3, 'export function chargeableWeight(parcel: Parcel): number {'),
      ],
      hidden: 0,
    },
  ],
};

/** A created file that the user has edited after the run. It is not deleted when it is discarded. */
const CREATED_EDITED: ReviewedFile = {
  ...CREATED,
  isEdited: true,
  blocks: CREATED.blocks.map((block) => (block.type === 'change' ? { ...block, isEdited: true } : block)),
};

const CHANGES: ReviewState = { startedAt: STARTED_AT, files: [QUOTE, TEST, CREATED, DELETED, BINARY] };
const ALL = CHANGES.files.flatMap(({ file, blocks }) =>
  blocks.flatMap((block) => (block.type === 'change' ? [{ file, id: block.id }] : [])),
);

export const STATES: readonly GalleryState[] = [
  { name: 'changes', title: 'Changes, of which one is accepted', state: CHANGES },
  { name: 'one change', title: 'One proposed change', state: ONE_CHANGE },
  {
    name: 'decided',
    title: 'All decided',
    state: decided(decided(CHANGES, ALL.slice(1), 'accepted'), ALL, 'discarded'),
  },
  {
    name: 'edited',
    title: 'Files that the user has edited too, and a renamed file',
    state: { startedAt: STARTED_AT, files: [EDITED, RENAMED, CREATED_EDITED] },
  },
  {
    name: 'restore',
    title: 'Asks what to restore',
    state: {
      startedAt: STARTED_AT,
      files: [EDITED],
      restore: {
        runId: 'run',
        files: [{ path: 'src/quote.ts', isEdited: true }],
        unrestored: [],
        hasCommands: false,
        steps: 12,
      },
    },
  },
  { name: 'proposed', title: 'Changes that an answer proposes', state: PROPOSED },
  {
    name: 'sample',
    title: 'Changes that an answer of the sandbox proposes',
    state: { files: [QUOTE], cost: 0.0033, isSample: true },
  },
  { name: 'empty', title: 'Nothing to review', state: { startedAt: STARTED_AT, files: [] } },
];

/** The state after a decision, as the host would send it. */
export function decided(state: ReviewState, changes: readonly ChangeName[], decision: ReviewDecision): ReviewState {
  return { ...state, files: state.files.map((file) => decidedFile(file, changes, decision)) };
}

function decidedFile(file: ReviewedFile, changes: readonly ChangeName[], decision: ReviewDecision): ReviewedFile {
  const isChosen = (id: string) => changes.some((change) => change.file === file.file && change.id === id);
  const blocks = file.blocks.map((block): ReviewBlock => {
    if (block.type !== 'change' || !isChosen(block.id)) return block;
    const count = (kind: DiffLine['kind']) => block.lines.filter((line) => line.kind === kind).length;
    const isWhole = file.change !== 'edited';
    const [plus, minus] = isWhole ? [file.added, file.removed] : [count('added'), count('removed')];
    const first = block.lines[0]?.new ?? block.lines[0]?.old ?? 1;
    const lines = isWhole ? {} : { lines: [first, first + Math.max(plus, 1) - 1] as const };
    return { type: 'decided', id: block.id, decision, added: plus, removed: minus, ...lines };
  });
  const open = blocks.flatMap((block) => (block.type === 'change' ? block.lines : []));
  const isWholeOpen = file.change !== 'edited' && blocks.some(({ type }) => type === 'change');
  const count = (kind: DiffLine['kind']) => open.filter((line) => line.kind === kind).length;
  return isWholeOpen ? file : { ...file, added: count('added'), removed: count('removed'), blocks };
}
