/** What the sandbox says in the tasks that each show one ability of the agent. */
import { taskTexts } from './agentTasks.ts';
import type { SampleLanguage } from './sampleQuestions.ts';

interface DemoWords {
  readonly skill: { readonly begin: string; readonly reason: string; readonly report: string };
  readonly review: { readonly begin: string; readonly report: string; readonly nothing: string };
  readonly helpers: {
    readonly begin: string;
    readonly task: (path: string) => string;
    readonly found: (path: string, lines: number, names: string) => string;
    readonly report: string;
  };
  readonly server: { readonly begin: string; readonly ask: string; readonly report: (answer: string) => string };
  /** Something was denied, or has failed. */
  readonly notDone: string;
}

export interface DemoTexts extends DemoWords {
  readonly prepared: string;
  readonly elsewhere: string;
}

const en: DemoWords = {
  skill: {
    begin: 'The project has a skill for this.',
    reason: 'The skill asks for one line for each function, in the words of its comment.',
    report: '`RELEASE_NOTES.md` describes each function, as the skill `release-notes` says.',
  },
  review: {
    begin: 'I read the code and its tests.',
    report:
      '1. `quote` accepts a weight of zero or less, and charges the minimum price for it.\n2. The price by volume, the surcharge, and an empty basket are not tested.\n\nI change nothing. **Fix It** hands over to the agent.',
    nothing:
      'The surcharge, the price by volume, and an empty basket may lack tests. I found no bug, and changed nothing.',
  },
  helpers: {
    begin: 'The files do not depend on each other, so a helper reads each.',
    task: (path) => `Read \`${path}\` and say what it offers to other files.`,
    found: (path, lines, names) => `\`${path}\` has ${lines} lines and exports ${names}.`,
    report: 'What the helpers have found:',
  },
  server: {
    begin: 'I start the server in the background.',
    ask: 'It is ready, so I ask it.',
    report: (answer) => `The server has answered with the README of “${answer}”. I have stopped it.`,
  },
  notDone: 'It did not work or was not allowed, so the task is not done.',
};

const de: DemoWords = {
  skill: {
    begin: 'Das Projekt hat dafür einen Skill.',
    reason: 'Der Skill verlangt eine Zeile für jede Funktion, mit den Worten ihres Kommentars.',
    report: '`RELEASE_NOTES.md` beschreibt jede Funktion, wie es der Skill `release-notes` verlangt.',
  },
  review: {
    begin: 'Ich lese den Code und seine Tests.',
    report:
      '1. `quote` nimmt ein Gewicht von null oder weniger an und berechnet dafür den Mindestpreis.\n2. Der Preis nach Volumen, der Zuschlag und ein leerer Korb sind nicht getestet.\n\nIch ändere nichts. **Fix It** übergibt an den Agent.',
    nothing:
      'Für Zuschlag, Preis nach Volumen und leeren Korb fehlen vielleicht Tests. Einen Fehler habe ich nicht gefunden und nichts geändert.',
  },
  helpers: {
    begin: 'Die Dateien hängen nicht voneinander ab, also liest jede ein Helfer.',
    task: (path) => `Lies \`${path}\` und sage, was die Datei anderen Dateien bietet.`,
    found: (path, lines, names) => `\`${path}\` hat ${lines} Zeilen und exportiert ${names}.`,
    report: 'Das haben die Helfer gefunden:',
  },
  server: {
    begin: 'Ich starte den Server im Hintergrund.',
    ask: 'Er ist bereit, also frage ich ihn.',
    report: (answer) => `Der Server hat mit der README von „${answer}“ geantwortet. Ich habe ihn beendet.`,
  },
  notDone: 'Es hat nicht funktioniert oder wurde nicht erlaubt, die Aufgabe ist also nicht erledigt.',
};

const zh: DemoWords = {
  skill: {
    begin: '该项目为此提供了一个技能。',
    reason: '该技能要求用每个函数的注释为其写一行。',
    report: '`RELEASE_NOTES.md` 按技能 `release-notes` 的要求描述了每个函数。',
  },
  review: {
    begin: '我阅读代码及其测试。',
    report:
      '1. `quote` 接受零或负数的重量，并按最低价格计费。\n2. 按体积计价、附加费和空篮子尚未测试。\n\n我不做任何更改。**Fix It** 会移交给代理。',
    nothing: '附加费、按体积计价和空篮子可能缺少测试。我没有发现错误，也未作任何更改。',
  },
  helpers: {
    begin: '这些文件互不依赖，因此由各个助手分别阅读。',
    task: (path) => `阅读 \`${path}\`，说明它为其他文件提供什么。`,
    found: (path, lines, names) => `\`${path}\` 有 ${lines} 行，导出 ${names}。`,
    report: '助手的发现：',
  },
  server: {
    begin: '我在后台启动服务器。',
    ask: '它已就绪，我来访问它。',
    report: (answer) => `服务器返回了“${answer}”的 README。我已将其停止。`,
  },
  notDone: '操作未成功或未获准，因此任务没有完成。',
};

export const demoTexts: Readonly<Record<SampleLanguage, DemoTexts>> = {
  en: { ...en, ...shared('en') },
  de: { ...de, ...shared('de') },
  zh: { ...zh, ...shared('zh') },
};

function shared(language: SampleLanguage): Pick<DemoTexts, 'prepared' | 'elsewhere'> {
  const { prepared, elsewhere } = taskTexts[language];
  return { prepared, elsewhere };
}
