/** The agent's prepared tasks in the sample folder, and what the sandbox says about them. */
import { WEIGHT_CHECKED } from './sampleAnswer.ts';
import type { SampleLanguage, SampleTask } from './sampleQuestions.ts';

interface TaskWords {
  /** Its steps: reading, changing, and testing. */
  readonly plan: readonly [string, string, string];
  /** Said before the change. */
  readonly reason: string;
  readonly report: string;
}

export interface PreparedTask extends Readonly<Record<SampleLanguage, TaskWords>> {
  readonly reads: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly edits: readonly { readonly old_text: string; readonly new_text: string }[];
  }[];
  /** In a file that was read if the change is already there. */
  readonly mark: string;
}

const QUOTE = 'src/quote.ts';
const TESTS = 'test/quote.test.ts';
const README = 'README.md';

/** The last test of the sample folder. The tasks add theirs after it. */
const LAST_TEST = "  assert.equal(quoteAll([BOOK, BOOK, BOOK, BOOK, BOOK], 'local'), 15.75);\n});\n";

const IMPORT = "import { quote, quoteAll } from '../src/quote.ts';\n";
const ZONE = "export type Zone = 'local' | 'national' | 'abroad';\n";
const SIGNATURE = 'export function quote(parcel: Parcel, zone: Zone): number {\n';

const WEIGHT_TEST = `
test('a parcel without a weight has no price', () => {
  assert.throws(() => quote({ ...BOOK, weight: 0 }, 'local'), ParcelError);
});
`;

/** Another bug than the one that the prepared answer fixes, so that the task has something to do after it, too. */
const CHECK_OF_WEIGHTS = [
  {
    old_text: ZONE,
    new_text: `${ZONE}\n/** Thrown for a parcel that cannot be priced. */\nexport class ${WEIGHT_CHECKED} extends RangeError {}\n`,
  },
  {
    old_text: SIGNATURE,
    new_text: `${SIGNATURE}  if (!(parcel.weight > 0)) throw new ParcelError('A parcel must weigh more than zero.');\n`,
  },
];

const MORE_TESTS = `
test('a fragile parcel costs the surcharge', () => {
  assert.equal(quote({ ...BOOK, fragile: true }, 'local'), 6);
});

test('a large light parcel is charged by its volume', () => {
  assert.equal(quote({ ...BOOK, length: 50, width: 50, height: 40 }, 'national'), 48);
});

test('an empty basket costs nothing', () => {
  assert.equal(quoteAll([], 'abroad'), 0);
});
`;

const README_PART = `
| File | What it does |
|---|---|
| \`src/parcel.ts\` | describes a parcel and the weight that it is charged for |
| \`src/quote.ts\` | prices one parcel or a basket |
| \`src/session.ts\` | keeps baskets for half an hour after their last use |

Run the tests with \`node --test test/quote.test.ts\`.
`;

export const preparedTasks: Readonly<Record<SampleTask, PreparedTask>> = {
  fix: {
    reads: [QUOTE, TESTS],
    files: [
      { path: QUOTE, edits: CHECK_OF_WEIGHTS },
      {
        path: TESTS,
        edits: [
          { old_text: IMPORT, new_text: IMPORT.replace('{ quote', '{ ParcelError, quote') },
          { old_text: LAST_TEST, new_text: LAST_TEST + WEIGHT_TEST },
        ],
      },
    ],
    mark: WEIGHT_CHECKED,
    en: {
      plan: ['Read the functions and their tests', 'Fix the bug and test it', 'Run the tests'],
      reason: '`quote` accepts a weight of zero or less and charges the minimum price for it.',
      report: '`quote` in `src/quote.ts` now rejects parcels that weigh nothing, and a new test checks it.',
    },
    de: {
      plan: ['Funktionen und Tests lesen', 'Fehler beheben und testen', 'Tests ausführen'],
      reason: '`quote` nimmt ein Gewicht von null oder weniger an und berechnet dafür den Mindestpreis.',
      report: '`quote` in `src/quote.ts` weist nun Pakete ohne Gewicht ab, und ein neuer Test prüft das.',
    },
    zh: {
      plan: ['阅读函数及其测试', '修复错误并加上测试', '运行测试'],
      reason: '`quote` 接受零或负数的重量，并按最低价格计费。',
      report: '`src/quote.ts` 中的 `quote` 现在会拒绝没有重量的包裹，并有新的测试。',
    },
  },
  tests: {
    reads: [QUOTE, TESTS],
    files: [{ path: TESTS, edits: [{ old_text: LAST_TEST, new_text: LAST_TEST + MORE_TESTS }] }],
    mark: 'a fragile parcel costs the surcharge',
    en: {
      plan: ['Read the functions and their tests', 'Write the missing tests', 'Run the tests'],
      reason: 'The surcharge, the price by volume, and the empty basket are not tested.',
      report: '`test/quote.test.ts` has three more tests: the surcharge, the price by volume, and an empty basket.',
    },
    de: {
      plan: ['Funktionen und Tests lesen', 'Fehlende Tests schreiben', 'Tests ausführen'],
      reason: 'Der Zuschlag, der Preis nach Volumen und der leere Korb sind nicht getestet.',
      report: '`test/quote.test.ts` hat drei weitere Tests: Zuschlag, Preis nach Volumen und leerer Korb.',
    },
    zh: {
      plan: ['阅读函数及其测试', '编写缺少的测试', '运行测试'],
      reason: '附加费、按体积计价和空篮子尚未测试。',
      report: '`test/quote.test.ts` 增加了三个测试：附加费、按体积计价和空篮子。',
    },
  },
  readme: {
    reads: [README, QUOTE],
    files: [
      {
        path: README,
        edits: [{ old_text: 'basket for half an hour.\n', new_text: `basket for half an hour.\n${README_PART}` }],
      },
    ],
    mark: '| `src/parcel.ts` |',
    en: {
      plan: ['Read the README and the code', 'Add the files and the tests', 'Check that the tests run as described'],
      reason: 'The README names neither all files nor how to run the tests.',
      report: '`README.md` now lists the files and the command that runs the tests.',
    },
    de: {
      plan: ['README und Code lesen', 'Dateien und Tests ergänzen', 'Prüfen, ob die Tests wie beschrieben laufen'],
      reason: 'Die README nennt weder alle Dateien noch den Befehl für die Tests.',
      report: '`README.md` nennt nun die Dateien und den Befehl, der die Tests ausführt.',
    },
    zh: {
      plan: ['阅读 README 和代码', '补充文件和测试', '检查测试能否按说明运行'],
      reason: 'README 既没有列出所有文件，也没有说明如何运行测试。',
      report: '`README.md` 现在列出了各个文件和运行测试的命令。',
    },
  },
};

interface TaskTexts {
  readonly begin: string;
  readonly prepared: string;
  readonly passed: string;
  readonly notPassed: string;
  /** The change of the task is already there. */
  readonly done: string;
  /** The folder is another than the sample folder. */
  readonly elsewhere: string;
  /** The question is none of the tasks. */
  readonly free: string;
}

export const taskTexts: Readonly<Record<SampleLanguage, TaskTexts>> = {
  en: {
    begin: 'I look for the files first.',
    prepared: 'This task was prepared; the sandbox has not asked a model.',
    passed: 'The tests pass.',
    notPassed: 'The tests did not pass or were not allowed to run, so the change is not tested.',
    done: 'The change is already there, so there is nothing to do.',
    elsewhere:
      'The sandbox has no model. Its prepared tasks need the files of the sample folder, which are not here, so it has changed nothing. With a service key, a model works in this folder.',
    free: 'The sandbox has no model, so it cannot do this, and it has changed nothing. In the sample folder it has three prepared tasks, which a new chat suggests: fix a bug in `quote.ts`, write tests for it, and update the README. “Write the release notes” uses a skill, “Review `src/quote.ts`” is for the agent reviewer, “Let helpers read `src`” starts three of them, and “Start a server” runs, asks, and stops one. With a service key, the model that you have chosen does what you ask.',
  },
  de: {
    begin: 'Zuerst suche ich die Dateien.',
    prepared: 'Diese Aufgabe war vorbereitet; die Sandbox hat kein Modell gefragt.',
    passed: 'Die Tests sind erfolgreich.',
    notPassed: 'Die Tests waren nicht erfolgreich oder nicht erlaubt, die Änderung ist also nicht getestet.',
    done: 'Die Änderung ist bereits vorhanden, es ist also nichts zu tun.',
    elsewhere:
      'Die Sandbox hat kein Modell. Ihre vorbereiteten Aufgaben brauchen die Dateien des Beispielordners, die hier fehlen. Sie hat deshalb nichts geändert. Mit einem Dienstschlüssel arbeitet ein Modell in diesem Ordner.',
    free: 'Die Sandbox hat kein Modell, kann das nicht erledigen und hat nichts geändert. Im Beispielordner hat sie drei vorbereitete Aufgaben, die ein neuer Chat vorschlägt: einen Fehler in `quote.ts` beheben, Tests dafür schreiben und die README aktualisieren. „Schreibe die Versionshinweise“ verwendet einen Skill, „Prüfe `src/quote.ts`“ ist für den Agent reviewer, „Lass Helfer `src` lesen“ startet drei Helfer, und „Starte einen Server“ startet, fragt und beendet einen. Mit einem Dienstschlüssel erledigt das gewählte Modell, worum Sie bitten.',
  },
  zh: {
    begin: '我先查找文件。',
    prepared: '此任务是预先准备的；沙盒没有向模型提问。',
    passed: '测试通过。',
    notPassed: '测试未通过或未获准运行，因此该更改未经测试。',
    done: '该更改已经存在，无需操作。',
    elsewhere:
      '沙盒没有模型。它预先准备的任务需要示例文件夹中的文件，而这里没有，因此未作任何更改。设置服务密钥后，模型会在此文件夹中工作。',
    free: '沙盒没有模型，无法完成此任务，也未作任何更改。在示例文件夹中，它有三个预先准备的任务，新聊天会给出建议：修复 `quote.ts` 中的错误、为其编写测试，以及更新 README。“编写发行说明”使用技能，“审查 `src/quote.ts`”用于代理 reviewer，“让助手阅读 `src`”启动三个助手，“启动服务器”会启动、访问并停止一个服务器。设置服务密钥后，由你选择的模型完成你的请求。',
  },
};
