/** Recognizes the prompts that the chat suggests, in all languages of the interface. */

export type SampleLanguage = 'en' | 'de' | 'zh';

/** Each pattern matches the beginning of a prompt, which names the file in inline code. */
type Prompts = Readonly<Record<SampleLanguage, RegExp>>;

const QUESTIONS = {
  explain: { en: /^Explain `[^`]*quote\.ts`/, de: /^Erkläre `[^`]*quote\.ts`/, zh: /^解释 `[^`]*quote\.ts`/ },
  table: { en: /^Summarize `[^`]*quote\.ts`/, de: /^Fasse `[^`]*quote\.ts`/, zh: /^概括 `[^`]*quote\.ts`/ },
  improve: { en: /^Improve `[^`]*quote\.ts`/, de: /^Verbessere `[^`]*quote\.ts`/, zh: /^改进 `[^`]*quote\.ts`/ },
} as const satisfies Readonly<Record<string, Prompts>>;

const TASKS = {
  fix: {
    en: /^Find a bug in `[^`]*quote\.ts`/,
    de: /^Suche einen Fehler in `[^`]*quote\.ts`/,
    zh: /^在 `[^`]*quote\.ts` 中找出一个错误/,
  },
  tests: {
    en: /^Write tests for `[^`]*quote\.ts`/,
    de: /^Schreibe Tests für `[^`]*quote\.ts`/,
    zh: /^为 `[^`]*quote\.ts` 编写测试/,
  },
  readme: { en: /^Update the README\b/, de: /^Aktualisiere die README\b/, zh: /^更新 README/ },
} as const satisfies Readonly<Record<string, Prompts>>;

/** Tasks that each show one ability of the agent. No prompt of a chat suggests them; the sandbox names them. */
const DEMOS = {
  skill: { en: /^Write the release notes\b/, de: /^Schreibe die Versionshinweise/, zh: /^编写发行说明/ },
  review: { en: /^Review `[^`]*quote\.ts`/, de: /^Prüfe `[^`]*quote\.ts`/, zh: /^审查 `[^`]*quote\.ts`/ },
  helpers: {
    en: /^Let helpers read `src`/,
    de: /^Lass Helfer `src` lesen/,
    zh: /^让助手阅读 `src`/,
  },
  /** What a helper of that task is asked. */
  helper: { en: /^Read `[^`]+` and say\b/, de: /^Lies `[^`]+` und sage\b/, zh: /^阅读 `[^`]+`，说明/ },
  server: { en: /^Start a server\b/, de: /^Starte einen Server\b/, zh: /^启动服务器/ },
} as const satisfies Readonly<Record<string, Prompts>>;

export type SampleQuestion = keyof typeof QUESTIONS;
export type SampleTask = keyof typeof TASKS;
export type SampleDemo = keyof typeof DEMOS;

interface FoundQuestion<Id> {
  readonly id: Id;
  readonly language: SampleLanguage;
}

export function readSampleQuestion(question: string): FoundQuestion<SampleQuestion> | undefined {
  return find(QUESTIONS, question);
}

export function readSampleTask(question: string): FoundQuestion<SampleTask> | undefined {
  return find(TASKS, question);
}

export function readSampleDemo(question: string): FoundQuestion<SampleDemo> | undefined {
  return find(DEMOS, question);
}

/** Guesses the language of a free question. */
export function languageOf(question: string): SampleLanguage {
  if (/\p{Script=Han}/u.test(question)) return 'zh';
  return /\b(?:der|die|das|und|ist|wie|was|warum|wann|nicht|eine?[nrm]?)\b/i.test(question) ? 'de' : 'en';
}

function find<Id extends string>(
  prompts: Readonly<Record<Id, Prompts>>,
  question: string,
): FoundQuestion<Id> | undefined {
  const entries = Object.entries(prompts) as [Id, Prompts][];
  for (const [id, patterns] of entries) {
    const language = (['en', 'de', 'zh'] as const).find((one) => patterns[one].test(question));
    if (language !== undefined) return { id, language };
  }
  return undefined;
}
