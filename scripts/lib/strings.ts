/** Texts by their keys. In the editor's bundles the key is the English text, followed by a slash and its comments. */
export type Strings = Readonly<Record<string, string>>;

/** Describes what is missing or wrong in a translation. */
export function compareStrings(source: Strings, translation: Strings): string[] {
  const missing = Object.keys(source).filter((key) => !Object.hasOwn(translation, key));
  const unused = Object.keys(translation).filter((key) => !Object.hasOwn(source, key));
  const unlike = Object.entries(translation).filter(
    ([key, text]) => Object.hasOwn(source, key) && placeholders(source[key] ?? '') !== placeholders(text),
  );
  return [
    ...missing.map((key) => `is missing ${JSON.stringify(key)}`),
    ...unused.map((key) => `has ${JSON.stringify(key)}, which nothing uses`),
    ...unlike.map(([key]) => `has other placeholders than ${JSON.stringify(key)}`),
  ];
}

/** Returns the placeholders in a fixed order, because languages order them differently. */
function placeholders(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).sort().join();
}
