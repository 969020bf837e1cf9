/** Texts by their keys. In the editor's bundles the key is the English text, with its comments behind a slash. */
export type Strings = Readonly<Record<string, string>>;

/** What keeps a translation from being complete, in words. */
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

/** Their order may differ among languages. */
function placeholders(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).sort().join();
}
