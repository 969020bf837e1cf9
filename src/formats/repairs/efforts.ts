/** How much a model reasons, for which servers know different words. */
import { isRecord, type JsonRecord } from '../json.ts';
import { type Problem, type Simplification, without } from './simplification.ts';

/** From the least to the most. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const MEMBERS = ['reasoning_effort', 'reasoning.effort', 'output_config.effort'] as const;

/** Only efforts between others are lists: "high" is a usual word. */
const LISTED = /\b(?:none|minimal|low|medium|high|xhigh|max)\b/g;
const QUOTED = /[`'"“‘](none|minimal|low|medium|high|xhigh|max)[`'"”’]/g;

export const EFFORT_FORMS: readonly Simplification[] = [
  ...MEMBERS.map((member): Simplification => {
    return {
      name: `${member}.allowed`,
      weight: 'rest',
      lost: member,
      argumentIn: (problem, body) => allowedIn(problem, body, member),
      apply: (body, argument) => nearest(body, member, argument.split('|')),
    };
  }),
  ...MEMBERS.map((member): Simplification => {
    return {
      name: `${member}.refused`,
      weight: 'rest',
      lost: member,
      argumentIn: (problem, body) => refusedIn(problem, body, member),
      guess: (body) => effortIn(body, member),
      apply: (body, argument) => (effortIn(body, member) === argument ? without(body, member.split('.')) : undefined),
    };
  }),
];

function effortIn(body: JsonRecord, member: string): string | undefined {
  const value = member.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), body);
  return typeof value === 'string' ? value : undefined;
}

function isAbout({ text, path = '' }: Problem, effort: string): boolean {
  if (/effort/i.test(path) || /effort/i.test(text)) return true;
  return [...text.matchAll(QUOTED)].some(([, quoted]) => quoted === effort);
}

function allowedIn(problem: Problem, body: JsonRecord, member: string): string | undefined {
  const effort = effortIn(body, member);
  if (effort === undefined || !isAbout(problem, effort)) return undefined;
  const quoted = [...problem.sentence.matchAll(QUOTED)].map(([, each = '']) => each);
  const listed = quoted.length > 1 ? quoted : [...problem.sentence.matchAll(LISTED)].map(([each]) => each);
  const allowed = [...new Set(listed)].filter((each) => each !== effort);
  return allowed.length > 0 ? allowed.join('|') : undefined;
}

const VALUE_REFUSED =
  /unexpected|invalid|unsupported|not (?:a )?(?:valid|supported|allowed)|does not support|n't support|unknown|unrecogni[sz]ed/i;
/** Matches refusals of models that cannot reason. */
const NO_REASONING = /(?:not|n't) support (?:thinking|reasoning)\b/i;

/** Without a list, only this value is known to be refused. */
function refusedIn(problem: Problem, body: JsonRecord, member: string): string | undefined {
  const effort = effortIn(body, member);
  if (effort === undefined) return undefined;
  if (NO_REASONING.test(problem.text)) return effort;
  if (!/effort/i.test(problem.text) || !VALUE_REFUSED.test(problem.text)) return undefined;
  const names = new RegExp(`\\b${effort}\\b`).test(problem.sentence);
  return names && allowedIn(problem, body, member) === undefined ? effort : undefined;
}

/** The nearest lower effort, or the lowest if there is none below. Without any, the model reasons as it usually does. */
function nearest(body: JsonRecord, member: string, allowed: readonly string[]): JsonRecord | undefined {
  const effort = effortIn(body, member);
  if (effort === undefined || allowed.includes(effort)) return undefined;
  const rank = (each: string): number => EFFORTS.indexOf(each as (typeof EFFORTS)[number]);
  const known = allowed.filter((each) => rank(each) >= 0).toSorted((a, b) => rank(a) - rank(b));
  const some = known.filter((each) => each !== 'none');
  const chosen = some.findLast((each) => rank(each) < rank(effort)) ?? some[0];
  const [holder = '', inner] = member.split('.');
  if (chosen === undefined) return without(body, member.split('.'));
  if (inner === undefined) return { ...body, [holder]: chosen };
  const outer = body[holder];
  return isRecord(outer) ? { ...body, [holder]: { ...outer, [inner]: chosen } } : undefined;
}
