/**
 * Reads the models of the service. The specification shows no catalog entry, so this reader accepts the list shapes of
 * both vendors and similar ones. Unrecognized members are undefined; `raw` contains everything.
 */

import { defined, isRecord } from '../formats/json.ts';
import { readNumber } from './amount.ts';
import { Members, readText } from './members.ts';
import { type Prices, readPrices } from './modelPrices.ts';

const WORDS: Readonly<Record<Capability, readonly string[]>> = {
  tools: [
    'tools',
    'tool',
    'toolcalls',
    'toolcall',
    'toolcalling',
    'tooluse',
    'functions',
    'functioncall',
    'functioncalling',
  ],
  images: ['images', 'image', 'vision', 'imageinput', 'imagesinput', 'inputimage', 'visioninput'],
  reasoning: ['reasoning', 'thinking', 'extendedthinking', 'reasoningeffort', 'includereasoning', 'adaptivethinking'],
};
/** Lists of words, and the capabilities for which such a list is complete: those not in the list are false. */
const CAPABILITY_LISTS: readonly (readonly [path: string, says: readonly Capability[]])[] = [
  ['capabilities', ['tools', 'images', 'reasoning']],
  ['features', ['tools', 'images', 'reasoning']],
  ['supported_features', ['tools', 'images', 'reasoning']],
  ['supported_parameters', ['tools', 'reasoning']],
  ['input_modalities', ['images']],
  ['modalities.input', ['images']],
  ['modalities', ['images']],
  ['architecture.input_modalities', ['images']],
  ['supported_input_modalities', ['images']],
  ['capabilities.modalities', ['images']],
  ['capabilities.input_modalities', ['images']],
];
/** Objects of booleans, such as `{"vision": true}` or `{"thinking": {"supported": true}}`. */
const RECORDS = ['capabilities', 'features', 'supports', 'capabilities.supports'];

export interface Model extends Capabilities, Prices {
  /** The value of a request's `model` field. */
  readonly id: string;
  readonly displayName?: string;
  readonly family?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The models that a route can ask, if the ID is its name. */
  readonly targets?: readonly string[];
  /** The raw entry. */
  readonly raw: unknown;
}

/** For models whose entry does not state their context window. In tokens. */
export const ASSUMED_CONTEXT_WINDOW = 128_000;

export interface ModelCatalog {
  /** In the service's order, each ID once. */
  readonly models: readonly Model[];
  /** The raw response. */
  readonly raw: unknown;
}

/** Members that may contain the list if the response itself is not the list. */
const LISTS = ['data', 'models', 'result', 'items', 'data.models', 'data.data', 'result.models', 'model_list'];

const IDS = ['id', 'model', 'model_id', 'model_name', 'slug', 'name'];
const DISPLAY_NAMES = ['display_name', 'title', 'label', 'name'];
const FAMILIES = ['family', 'model_family', 'series'];
const CONTEXT_WINDOWS = [
  'context_window',
  'context_length',
  'context_size',
  'max_context_length',
  'max_context_tokens',
  'max_context_window_tokens',
  'max_model_len',
  'context',
  'max_input_tokens',
  'input_token_limit',
  'limits.context',
  'limits.context_window',
  'limits.max_context_window_tokens',
  'limits.max_input_tokens',
  'limit.context',
  'top_provider.context_length',
  'capabilities.limits.max_context_window_tokens',
];
const OUTPUT_LIMITS = [
  'max_output_tokens',
  'max_completion_tokens',
  'output_token_limit',
  'max_output',
  'max_tokens',
  'limits.output',
  'limits.max_output_tokens',
  'limit.output',
  'top_provider.max_completion_tokens',
  'capabilities.limits.max_output_tokens',
];

/** Longer IDs are mistakes. */
const MAX_ID_LENGTH = 256;

/**
 * Reads the catalog and never throws. Entries without a usable ID are ignored.
 * @param body the parsed response of `/models`.
 */
export function readModelCatalog(body: unknown): ModelCatalog {
  const models = new Map<string, Model>();
  for (const entry of entriesIn(body)) {
    const model = readModel(entry);
    if (model !== undefined && !models.has(model.id)) models.set(model.id, model);
  }
  return { models: [...models.values()], raw: body };
}

/** Returns the entries: from a list of entries or IDs, or from an object that maps IDs to entries. */
function entriesIn(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  const members = new Members(body);
  const list = members.first(LISTS, (value) => (Array.isArray(value) ? value : undefined));
  if (list !== undefined) return list;
  const byId = members.first(LISTS, (value) => (isRecord(value) ? value : undefined));
  return Object.entries(byId ?? {}).flatMap(([id, entry]) => (isRecord(entry) ? [{ id, ...entry }] : []));
}

function readModel(entry: unknown): Model | undefined {
  const members = new Members(entry);
  const id = readId(entry) ?? members.first(IDS, readId);
  if (id === undefined) return undefined;
  const displayName = members.first(DISPLAY_NAMES, (value) => (value === id ? undefined : readText(value)));
  const family = members.first(FAMILIES, readText);
  const contextWindow = members.first(CONTEXT_WINDOWS, readTokens);
  const maxOutputTokens = members.first(OUTPUT_LIMITS, readTokens);
  return {
    id,
    ...defined({ displayName, family, contextWindow, maxOutputTokens }),
    ...readPrices(members),
    ...readCapabilities(members),
    raw: entry,
  };
}

function readId(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined || text.length > MAX_ID_LENGTH ? undefined : text;
}

/** Reads whole tokens from `200000`, `"200000"`, `"200k"`, or `"1M"`. */
function readTokens(value: unknown): number | undefined {
  const [, digits, scale] = /^([\d.,_]+)\s*([km])$/i.exec(readText(value) ?? '') ?? [];
  const factor = scale === undefined ? 1 : scale.toLowerCase() === 'k' ? 1000 : 1_000_000;
  const tokens = (readNumber(digits ?? value) ?? 0) * factor;
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** Undefined members are not stated by the catalog. */
interface Capabilities {
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
}

type Capability = keyof Capabilities;

/** Reads the capabilities. A member of the entry takes precedence over an object, and an object over a list. */
function readCapabilities(entry: Members): Capabilities {
  const found = (Object.keys(WORDS) as Capability[]).map((capability) => {
    const stated =
      statedByMember(entry, capability) ?? statedByRecord(entry, capability) ?? statedByList(entry, capability);
    return stated === undefined ? {} : { [capability]: stated };
  });
  return Object.assign({}, ...found);
}

function statedByMember(entry: Members, capability: Capability): boolean | undefined {
  const names = WORDS[capability];
  return entry.first(
    [...names.map((name) => `supports${name}`), ...names.map((name) => `${name}supported`), ...names],
    readYesNo,
  );
}

function statedByRecord(entry: Members, capability: Capability): boolean | undefined {
  return entry.first(
    RECORDS.flatMap((record) => WORDS[capability].map((name) => `${record}.${name}`)),
    readYesNo,
  );
}

function statedByList(entry: Members, capability: Capability): boolean | undefined {
  const lists = CAPABILITY_LISTS.filter(([, says]) => says.includes(capability)).map(([path]) => entry.get(path));
  const known = lists.filter(Array.isArray);
  if (known.length === 0) return undefined;
  return known.some((list) => list.some((word) => WORDS[capability].includes(plainWord(word))));
}

function readYesNo(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isRecord(value) && typeof value.supported === 'boolean' ? value.supported : undefined;
}

function plainWord(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase().replaceAll(/[^a-z]/g, '') : '';
}
