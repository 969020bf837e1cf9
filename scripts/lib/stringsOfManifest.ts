import type { Strings } from './strings.ts';

/** The fields of a manifest that the editor shows to users. */
const SHOWN = new Set([
  'altText',
  'contents',
  'contextualTitle',
  'deprecationMessage',
  'description',
  'displayName',
  'label',
  'markdownDeprecationMessage',
  'markdownDescription',
  'name',
  'patternErrorMessage',
  'title',
  'userDescription',
]);
/** The same for fields with one text per value of a setting. */
const SHOWN_LISTS = new Set(['enumDescriptions', 'enumItemLabels', 'markdownEnumDescriptions']);
/** Fields whose contents are written into files, or read by the editor or by models. */
const NOT_SHOWN = new Set(['body', 'default', 'required', 'enum', 'inputSchema']);
/** Product names, tool names, and protocol words, which are the same in all languages. */
const SAME_EVERYWHERE = /^Model Access$|^(?:GET|POST) \/\S+$|^[a-z]+(?:_[a-z]+)+$/;
const KEY = /^%([\w.-]+)%$/;

export interface ManifestStrings {
  /** The keys that the manifest refers to. */
  readonly keys: ReadonlySet<string>;
  /** Texts in the manifest itself, which cannot be translated. */
  readonly hardCoded: readonly string[];
}

/** Returns the texts of the manifest: its description, and those of its contributions. */
export function stringsOfManifest(manifest: Readonly<Record<string, unknown>>): ManifestStrings {
  const { description, capabilities, contributes } = manifest;
  const texts = shownTexts({ description, capabilities, contributes }).filter((text) => !SAME_EVERYWHERE.test(text));
  return {
    keys: new Set(texts.flatMap((text) => KEY.exec(text)?.[1] ?? [])),
    hardCoded: texts.filter((text) => !KEY.test(text)),
  };
}

/** Describes the differences between these keys and `package.nls.json`. */
export function compareManifest({ keys, hardCoded }: ManifestStrings, english: Strings): string[] {
  const missing = [...keys].filter((key) => !Object.hasOwn(english, key));
  const unused = Object.keys(english).filter((key) => !keys.has(key));
  return [
    ...hardCoded.map((text) => `stands in package.json itself: ${JSON.stringify(text)}`),
    ...missing.map((key) => `is missing ${JSON.stringify(key)}`),
    ...unused.map((key) => `has ${JSON.stringify(key)}, which nothing uses`),
  ];
}

function shownTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (NOT_SHOWN.has(field)) return [];
    if (SHOWN.has(field) && typeof inner === 'string') return [inner];
    if (SHOWN_LISTS.has(field) && Array.isArray(inner)) return inner.filter((text) => typeof text === 'string');
    return shownTexts(inner);
  });
}
