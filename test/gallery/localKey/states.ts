/** The states of the page that creates a local key. */
import type { KeyForm, KeyFormProblems, KeyPageState } from '../../../src/pages/localKey/protocol.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: KeyPageState;
  readonly form?: Partial<KeyForm>;
  readonly problems?: KeyFormProblems;
  readonly isCreated?: true;
  /** The page was opened for an existing key. */
  readonly isExisting?: true;
  readonly hiddenBudgets?: readonly string[];
}

const MODELS: KeyPageState['models'] = [
  { id: 'familya-haiku-4.5', contextWindow: 200_000, inputPrice: 1, outputPrice: 5 },
  { id: 'familya-sonnet-4.6', contextWindow: 200_000, inputPrice: 3, outputPrice: 15 },
  { id: 'familya-opus-4.6', contextWindow: 1_000_000, inputPrice: 5, outputPrice: 25 },
  { id: 'familyb-3-flash-preview', contextWindow: 1_000_000, inputPrice: 0.5, outputPrice: 3 },
  { id: 'familyb-3-pro', contextWindow: 1_000_000, inputPrice: 2, outputPrice: 12 },
  { id: 'familyc-5.3-codex', contextWindow: 400_000, inputPrice: 1.75, outputPrice: 14 },
  { id: 'familyc-5.4' },
  { id: 'familyd-large', contextWindow: 128_000, inputPrice: 0.9, outputPrice: 2.7 },
];
const STATE: KeyPageState = { models: MODELS, address: 'http://127.0.0.1:8787/api/v1' };
const FILLED: Partial<KeyForm> = {
  name: 'ci-bot',
  budgets: { daily: '2.00', monthly: '20.00', total: '' },
  requestsPerMinute: '30',
  parallel: '4',
  models: ['familya-haiku-4.5', 'familya-sonnet-4.6'],
  expiry: 'date',
  date: '2027-01-31',
};

export const STATES: readonly GalleryState[] = [
  { name: 'empty', title: 'A new key', state: STATE },
  { name: 'filled', title: 'With budgets, limits, and models', state: STATE, form: FILLED },
  {
    name: 'wrong',
    title: 'With fields that are wrong',
    state: STATE,
    form: { ...FILLED, budgets: { daily: 'five', monthly: '', total: '' }, models: [] },
    problems: {
      name: 'A key named "ci-bot" already exists.',
      daily: 'Enter a number, such as 5.',
      models: 'Name at least one model, or omit the list to allow all models.',
    },
  },
  { name: 'created', title: 'Created', state: STATE, form: FILLED, isCreated: true },
  {
    name: 'existing',
    title: 'An existing key',
    state: STATE,
    form: FILLED,
    isExisting: true,
    hiddenBudgets: ['200,000 tokens in total'],
  },
];
