/** What the model knows of the skills before it uses one. */
import type { SkillFile } from './skillFile.ts';

/** What all descriptions together may have, in characters, as in other agents: about 2,000 tokens in each request. */
const MAX_CHARACTERS = 8_000;
/** The least that says what a skill is for. */
const MIN_CHARACTERS = 20;

type ListedSkill = Pick<SkillFile, 'name' | 'description' | 'compatibility'>;

export interface SkillList {
  readonly text: string;
  /** Of each skill, in the given order. */
  readonly entries: readonly string[];
  /** What is kept of a description, in characters: 0 if there are only names. Undefined if all are whole. */
  readonly kept?: number;
}

/** Lists all skills by name. Descriptions that are too long together become shorter, the longest ones first. */
export function skillList(skills: readonly ListedSkill[]): SkillList {
  const kept = keptOf(skills.map((skill) => descriptionOf(skill).length));
  const entries = skills.map((skill) => (kept === undefined ? wholeEntry(skill) : shortEntry(skill, kept)));
  const text = `Skills describe how tasks are done here. Before a task that one describes, call use_skill and follow its text.\n<available_skills>\n${entries.join('\n')}\n</available_skills>`;
  return kept === undefined ? { text, entries } : { text, entries, kept };
}

function keptOf(lengths: readonly number[]): number | undefined {
  let left = MAX_CHARACTERS;
  for (const [nth, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (lengths.length - nth));
    if (length > share) return share < MIN_CHARACTERS ? 0 : share;
    left -= length;
  }
  return undefined;
}

function descriptionOf({ description, compatibility }: ListedSkill): string {
  return compatibility === undefined ? description : `${description} ${compatibility}`;
}

function wholeEntry({ name, description, compatibility }: ListedSkill): string {
  const needs = compatibility === undefined ? '' : `<compatibility>${compatibility}</compatibility>\n`;
  return `<skill>\n<name>${name}</name>\n<description>${description}</description>\n${needs}</skill>`;
}

function shortEntry(skill: ListedSkill, kept: number): string {
  const whole = descriptionOf(skill);
  // The end may be in the middle of a character.
  const cut = whole.length <= kept ? whole : `${whole.slice(0, kept - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  const description = kept === 0 ? '' : `<description>${cut.replace(/\s+/g, ' ')}</description>`;
  return `<skill><name>${skill.name}</name>${description}</skill>`;
}
