/** Reads the capabilities of a model, whichever names its catalog entry uses. */
import { isRecord } from '../formats/json.ts';
import type { Members } from './members.ts';

/** Undefined members are not stated by the catalog. */
export interface Capabilities {
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
}

type Capability = keyof Capabilities;

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
const LISTS: readonly (readonly [path: string, says: readonly Capability[]])[] = [
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

/** Reads the capabilities. A member of the entry takes precedence over an object, and an object over a list. */
export function readCapabilities(entry: Members): Capabilities {
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
  const lists = LISTS.filter(([, says]) => says.includes(capability)).map(([path]) => entry.get(path));
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
