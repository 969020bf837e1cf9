/** A character that HTML writes by a name. */
export interface Entity {
  /** Without the ampersand, with the semicolon if there is one. */
  readonly name: Buffer;
  readonly code: number;
}

/** The named entities of HTML for single ASCII characters, which are the characters that a key can have. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '\t': ['Tab'],
  '\n': ['NewLine'],
  '!': ['excl'],
  '"': ['quot', 'QUOT'],
  '#': ['num'],
  $: ['dollar'],
  '%': ['percnt'],
  '&': ['amp', 'AMP'],
  "'": ['apos'],
  '(': ['lpar'],
  ')': ['rpar'],
  '*': ['ast', 'midast'],
  '+': ['plus'],
  ',': ['comma'],
  '.': ['period'],
  '/': ['sol'],
  ':': ['colon'],
  ';': ['semi'],
  '<': ['lt', 'LT'],
  '=': ['equals'],
  '>': ['gt', 'GT'],
  '?': ['quest'],
  '@': ['commat'],
  '[': ['lsqb', 'lbrack'],
  '\\': ['bsol'],
  ']': ['rsqb', 'rbrack'],
  '^': ['Hat'],
  _: ['lowbar', 'UnderBar'],
  '`': ['grave', 'DiacriticalGrave'],
  '{': ['lcub', 'lbrace'],
  '|': ['verbar', 'vert', 'VerticalLine'],
  '}': ['rcub', 'rbrace'],
};

/** Characters whose names browsers also accept without the semicolon. */
const WITHOUT_SEMICOLON: ReadonlySet<string> = new Set(['"', '&', '<', '>']);

/** Returns the entities of these characters. */
export function entitiesOf(characters: Iterable<string>): readonly Entity[] {
  return [...new Set(characters)].flatMap((character) => {
    const names = NAMES[character] ?? [];
    const endings = WITHOUT_SEMICOLON.has(character) ? [';', ''] : [';'];
    const written = endings.flatMap((ending) => names.map((name) => `${name}${ending}`));
    return written.map((name) => ({ name: Buffer.from(name), code: character.charCodeAt(0) }));
  });
}
