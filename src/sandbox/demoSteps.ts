/**
 * The steps of tasks that each show one ability of the agent: a skill, an agent of a file, helpers, and a command in the
 * background. What they report is from the results that they get.
 */
import type { JsonValue } from '../formats/json.ts';
import { type DemoTexts, demoTexts } from './demoTexts.ts';
import { WEIGHT_CHECKED } from './sampleAnswer.ts';
import type { SampleDemo, SampleLanguage } from './sampleQuestions.ts';
import { type SandboxTurn, textOf } from './turn.ts';

export interface PlannedStep {
  readonly text: string;
  readonly calls?: readonly (readonly [tool: string, args: JsonValue])[];
}

const FILES = ['src/parcel.ts', 'src/quote.ts', 'src/session.ts'];
const NOTES = 'RELEASE_NOTES.md';
const SKILL = 'release-notes';

/** Answers with the README, on a port that the system chooses. */
const SERVER = `node -e "const { readFileSync } = require('node:fs'); require('node:http').createServer((_, answer) => answer.end(readFileSync('README.md'))).listen(0, '127.0.0.1', function () { console.log('ready on ' + this.address().port) })"`;
const READY = /ready on (\d+)/;

export function demoStep(
  { id, language }: { readonly id: SampleDemo; readonly language: SampleLanguage },
  turn: SandboxTurn,
): PlannedStep {
  const texts = demoTexts[language];
  switch (id) {
    case 'skill':
      return skillStep(turn, texts);
    case 'review':
      return reviewStep(turn, texts);
    case 'helpers':
      return helpersStep(turn, texts);
    case 'helper':
      return helperStep(turn, texts);
    case 'server':
      return serverStep(turn, texts);
  }
}

function skillStep({ called, results }: SandboxTurn, texts: DemoTexts): PlannedStep {
  const [skill, ...read] = results.map(textOf);
  if (!called.includes('use_skill')) return { text: texts.skill.begin, calls: [['use_skill', { name: SKILL }]] };
  if (skill?.includes(NOTES) !== true) return { text: texts.elsewhere };
  const files = ['src/quote.ts', 'src/parcel.ts'];
  if (!called.includes('read_file')) return { text: '', calls: files.map((path) => ['read_file', { path }]) };
  if (!called.includes('create_file')) {
    const lines = read.flatMap(commentsIn).map(([name, comment]) => `- \`${name}\`: ${comment}`);
    const content = ['# Release notes', '', ...lines, ''].join('\n');
    return { text: texts.skill.reason, calls: [['create_file', { path: NOTES, content }]] };
  }
  const isCreated = results.at(-1)?.isError !== true;
  return reported(isCreated ? texts.skill.report : texts.notDone, texts);
}

/** The functions of a numbered source, with the comment before each. */
function commentsIn(source: string): readonly (readonly [name: string, comment: string])[] {
  const lines = source.split('\n').map((line) => line.replace(/^\d+\t/, ''));
  return [...lines.join('\n').matchAll(/\/\*\* (.*) \*\/\nexport function (\w+)/g)].map(
    ([, comment = '', name = '']) => [name, comment] as const,
  );
}

function reviewStep({ called, results }: SandboxTurn, texts: DemoTexts): PlannedStep {
  const files = ['src/quote.ts', 'test/quote.test.ts'];
  if (!called.includes('read_file')) {
    return { text: texts.review.begin, calls: files.map((path) => ['read_file', { path }]) };
  }
  const [source = ''] = results.map(textOf);
  if (!source.includes('export function quote(')) return { text: texts.elsewhere };
  const isFixed = source.includes(WEIGHT_CHECKED);
  return reported(isFixed ? texts.review.nothing : texts.review.report, texts);
}

function helpersStep({ called, results }: SandboxTurn, texts: DemoTexts): PlannedStep {
  if (!called.includes('run_helpers')) {
    const helpers = FILES.map((path) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      task: texts.helpers.task(path),
    }));
    return { text: texts.helpers.begin, calls: [['run_helpers', { helpers }]] };
  }
  const said = results.map(textOf).join('\n').split('\n');
  const reports = said.filter((line) => FILES.some((path) => line.startsWith(`\`${path}\``)));
  if (reports.length === 0) return reported(texts.notDone, texts);
  return reported([texts.helpers.report, '', ...reports.map((line) => `- ${line}`)].join('\n'), texts);
}

function helperStep({ question, called, results }: SandboxTurn, texts: DemoTexts): PlannedStep {
  const [, path = ''] = /`([^`]+)`/.exec(question) ?? [];
  if (!called.includes('read_file')) return { text: '', calls: [['read_file', { path }]] };
  const source = results.map(textOf).join('\n');
  if (results.some(({ isError }) => isError === true)) return { text: texts.elsewhere };
  const names = [...source.matchAll(/export (?:async )?(?:function|class|interface|type|const) (\w+)/g)];
  return {
    text: texts.helpers.found(path, source.split('\n').length, names.map(([, name]) => `\`${name}\``).join(', ')),
  };
}

function serverStep({ called, results }: SandboxTurn, texts: DemoTexts): PlannedStep {
  const printed = results.map(textOf);
  const [, port] = READY.exec(printed.join('\n')) ?? [];
  const [, id] = /\bas (c\d+)\b/.exec(printed[0] ?? '') ?? [];
  if (called.length === 0) {
    return { text: texts.server.begin, calls: [['run_command', { command: SERVER, background: true }]] };
  }
  // It was denied, or has ended at once.
  if (id === undefined) return reported(texts.notDone, texts);
  const checks = called.filter((name) => name === 'check_command').length;
  const asks = called.length - checks - 1;
  if (port === undefined && checks === 0) {
    return { text: '', calls: [['check_command', { id, wait_for_text: 'ready on', timeout_seconds: 30 }]] };
  }
  if (port !== undefined && asks === 0) {
    const command = `node -e "fetch('http://127.0.0.1:${port}/').then((answer) => answer.text()).then(console.log)"`;
    return { text: texts.server.ask, calls: [['run_command', { command }]] };
  }
  const isStopped = asks > 0 ? called.at(-1) === 'check_command' : checks > 1;
  if (!isStopped) return { text: '', calls: [['check_command', { id, stop: true }]] };
  const answer = printed.join('\n').match(/^# (.+)$/m)?.[1];
  return reported(answer === undefined ? texts.notDone : texts.server.report(answer), texts);
}

function reported(report: string, { prepared }: DemoTexts): PlannedStep {
  return { text: `${prepared}\n\n${report}` };
}
