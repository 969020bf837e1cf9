/** Parses the info string of a code block. */
export interface CodeInfo {
  /** A name or alias of a language, in lower case; empty if there is none. */
  readonly language: string;
  /** The file name if the info string has one, otherwise the language; empty if it has neither. */
  readonly label: string;
  /** The path of the file as written, if the info string has one. */
  readonly file?: string;
}

const NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  bat: 'Batch',
  c: 'C',
  cpp: 'C++',
  'c++': 'C++',
  cmd: 'Batch',
  console: 'Shell',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  fish: 'Shell',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsonc: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  markdown: 'Markdown',
  md: 'Markdown',
  php: 'PHP',
  powershell: 'PowerShell',
  ps1: 'PowerShell',
  pwsh: 'PowerShell',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  ruby: 'Ruby',
  rust: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  'shell-session': 'Shell',
  shellsession: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  terminal: 'Shell',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Shell',
};

const SHELLS: ReadonlySet<string | undefined> = new Set(['Shell', 'PowerShell', 'Batch']);

/** Whether the code is to be typed in a terminal. A script has a file name, or names its shell in its first line. */
export function isForTerminal(text: string, info: string): boolean {
  const { label, file } = codeInfo(info);
  return file === undefined && SHELLS.has(label) && !text.startsWith('#!');
}

/** The rest of a longer info string is neither read nor shown: laying out megabytes as a label blocks the panel. */
const MAX_LENGTH = 1000;

/** A path with spaces: the names of folders may have them, also without quotes. */
const SPACED =
  /^\s*[\w+#-]+(?:\s+|:)(?:(?:title|file|filename|path)=)?["']?([^\s="'{},]+ [^="'{},]*[\\/][^="'{},\\/]*\.\w{1,12})["'}]*\s*$/;

/** Parses the usual forms: `ts`, `ts session.ts`, `ts title="session.ts"`, `ts:src/session.ts`, `session.ts`. */
export function codeInfo(info: string): CodeInfo {
  const [first = '', ...others] = info
    .slice(0, MAX_LENGTH)
    .trim()
    .split(/[\s{,]+/);
  const [word = '', afterColon] = first.split(/:(.*)/, 2);
  const file =
    SPACED.exec(info.slice(0, MAX_LENGTH))?.[1] ??
    [afterColon, ...others].map(filePath).find((path) => path !== undefined) ??
    filePath(word);
  const language = filePath(word) === undefined ? word.toLowerCase() : extension(word);
  if (file === undefined) return { language, label: NAMES[language] ?? word };
  return { language, label: file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1), file };
}

function filePath(word: string | undefined): string | undefined {
  const value = word?.replace(/^(?:title|file|filename|path)=/, '').replace(/^["']|["'}]+$/g, '');
  return value === undefined || !/^[^=]*[^=.]\.\w{1,12}$/.test(value) ? undefined : value;
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
