/** A piece of a text: a file with instructions, the description of a skill, or what is around it. */
export interface TextPiece {
  readonly text: string;
  /** The file's name without its folder. Undefined for other text. */
  readonly file?: string;
}

/** A skill in the list that a system prompt has of them. */
const SKILL = /<skill>\s*<name>\s*([\w.:-]{1,64})\s*<\/name>[\s\S]*?<\/skill>\s*/g;
/** How agents introduce a file with instructions. */
const HEADING =
  /(?:Contents of|Instructions from:?|# Rules from|# AGENTS\.md instructions for|<instructions? (?:file|path)=)\s*"?([^\s"<>()]+)/g;
const END = /<\/(?:system-reminder|instructions?|attachment|environment_context)>/i;
const FILE =
  /^(?:.*[\\/])?((?:AGENTS|CLAUDE|GEMINI|QWEN|CODEX|CONVENTIONS|copilot-instructions)[\w.-]*\.md|\.\w+rules|[\w.-]+\.instructions\.md|[\w.-]+\.mdc?)$/i;

/** Divides a text at the files with instructions that are recognizable in it by their names. */
export function splitInstructions(text: string): readonly TextPiece[] {
  const starts: { readonly at: number; readonly file: string }[] = [];
  for (const match of text.matchAll(HEADING)) {
    const file = match[0].startsWith('# AGENTS.md')
      ? 'AGENTS.md'
      : FILE.exec(match[1]?.replace(/[:,;]+$/, '') ?? '')?.[1];
    if (file !== undefined) starts.push({ at: match.index, file });
  }
  if (starts.length === 0) return splitSkills(text);
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const [index, { at, file }] of starts.entries()) {
    if (at > from) pieces.push(...splitSkills(text.slice(from, at)));
    const limit = starts[index + 1]?.at ?? text.length;
    const end = END.exec(text.slice(at, limit));
    from = end === null ? limit : at + end.index;
    pieces.push({ text: text.slice(at, from), file });
  }
  if (from < text.length) pieces.push(...splitSkills(text.slice(from)));
  return pieces;
}

/** Divides a text at the skills that it lists. */
function splitSkills(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: entry, 1: name, index } of text.matchAll(SKILL)) {
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: entry, file: `skill ${name}` });
    from = index + entry.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** The first words of summaries that agents write into a new conversation in place of an earlier one. */
const SUMMARIES: readonly string[] = [
  'This session is being continued from a previous conversation',
  'Another language model started to solve this problem',
  'The conversation history before this point was compacted',
  'Here is a summary of the conversation',
  '<conversation-summary>',
  '<summary>',
];

export function isSummary(text: string): boolean {
  const start = text.trimStart();
  return SUMMARIES.some((words) => start.startsWith(words));
}
