import * as vscode from 'vscode';
import {
  agentNamed,
  type CustomizationSet,
  type FoundAgent,
  NO_CUSTOMIZATIONS,
  skillsForModel,
} from '../../agent/customizations/found.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { listOf } from '../../chat/prompts/frontMatter.ts';
import { defined } from '../../formats/json.ts';
import type { CustomizationFiles } from '../chat/customizations/customizationFiles.ts';
import { type FolderOfSkill, folderOfSkill } from '../chat/customizations/skillText.ts';
import type { ReadToolOptions } from './tools/readTools.ts';

/** What a run begins with. Later changes of files and settings apply from the next run. */
export interface RunSetup extends Pick<ReadToolOptions, 'isInstructions' | 'isFreeToRead'> {
  /** All files that were found. */
  readonly found: CustomizationSet;
  /** The instructions of all files that each request contains. */
  readonly instructions: string | undefined;
  /** The skills that the model knows of. */
  readonly skills: readonly FolderOfSkill[];
  /** Undefined for the agent without a file. */
  readonly agent?: FoundAgent;
  /** The only tools of a run that a prompt has begun, as its file names them. */
  readonly tools?: readonly string[];
  /** The names of tools of other extensions that the user has chosen. */
  readonly chosen: readonly string[];
  /** The tokens that definitions of tools of other extensions may have in each request. */
  readonly maxToolTokens: number;
}

export interface RunChoices extends Pick<RunSetup, 'chosen' | 'maxToolTokens'> {
  /** The name of the chat's agent. */
  readonly agentName: string | undefined;
  /** The attachments of the question that the run answers. */
  readonly attachments: readonly Attachment[];
}

/** @param files undefined if nothing was read yet. */
export function runSetupOf(
  files: CustomizationFiles | undefined,
  { agentName, attachments, ...choices }: RunChoices,
): RunSetup {
  const set = files?.set ?? NO_CUSTOMIZATIONS;
  const skills = skillsForModel(set).flatMap((found) => (files && folderOfSkill(found, files)) ?? []);
  const roots = skills.map(({ realFolder }) => `${realFolder}/`);
  const own = new Set([...set.instructions, ...set.agents].map(({ path }) => files?.uriOf(path)?.toString()));
  const isOfSkill = (uri: vscode.Uri) => skills.some(({ folder }) => uri.path.startsWith(`${folder.path}/`));
  return {
    ...choices,
    found: set,
    instructions: files?.sent?.text,
    skills,
    isInstructions: (uri) => own.has(uri.toString()) || isOfSkill(uri),
    isFreeToRead: (real) => roots.some((root) => vscode.Uri.file(real).path.startsWith(root)),
    ...defined({
      agent: agentName === undefined ? undefined : agentNamed(set, agentName),
      tools: listOf(attachments.find(({ kind }) => kind === 'tools')?.path),
    }),
  };
}
