import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import { chooseFile } from '../configurationFile.ts';
import type { Tool } from '../tool.ts';
import { TOOLS } from '../toolList.ts';
import { findProgram, versionOf } from './installedTools.ts';

/** What is known of a tool on this machine. */
export interface FoundTool {
  readonly tool: Tool;
  /** Its program, its extension, or its file is there. */
  readonly isFound: boolean;
  /** Path of the file that changes, whether it is there or not: where links lead, if they lead anywhere. */
  readonly file?: string;
  /** Path of its program. */
  readonly program?: string;
  readonly version?: string;
}

/** Looks for the tools on this machine. */
export class ToolFinder {
  /** By the path of the program, since a look may take seconds. */
  readonly #versions = new Map<string, Promise<string | undefined>>();

  /** Without versions of programs, which take longer. */
  find(): Promise<FoundTool[]> {
    return Promise.all(TOOLS.map((tool) => this.#find(tool)));
  }

  /** The same tools with the versions that their programs tell. */
  withVersions(found: readonly FoundTool[]): Promise<FoundTool[]> {
    return Promise.all(found.map((tool) => this.#withVersion(tool)));
  }

  async #find(tool: Tool): Promise<FoundTool> {
    const file = await fileOf(tool);
    const path = tool.program && (await findProgram(tool.program, { platform: process.platform, env: process.env }));
    const extension = tool.extension === undefined ? undefined : vscode.extensions.getExtension(tool.extension);
    const hasFile = file !== undefined && (await undefinedIfMissing(lstat(file))) !== undefined;
    const version: unknown = extension?.packageJSON.version;
    return {
      tool,
      isFound: path !== undefined || extension !== undefined || hasFile,
      ...(file !== undefined && { file: await targetOf(file) }),
      ...(path !== undefined && { program: path }),
      ...(typeof version === 'string' && { version }),
    };
  }

  async #withVersion(found: FoundTool): Promise<FoundTool> {
    const { program } = found;
    // Windows runs command files through a shell alone.
    if (program === undefined || /\.(cmd|bat)$/i.test(program)) return found;
    const asked = this.#versions.get(program) ?? versionOf(program);
    this.#versions.set(program, asked);
    const version = await asked;
    return version === undefined ? found : { ...found, version };
  }
}

/** A link that leads nowhere is shown itself; the preview says what is wrong with it. */
async function targetOf(file: string): Promise<string> {
  return (await undefinedIfMissing(realpath(file))) ?? file;
}

/** The file of a tool that exists, else the one that would be made. */
export async function fileOf({ configuration }: Tool): Promise<string | undefined> {
  if (configuration === undefined) return undefined;
  const { env, platform } = process;
  return await chooseFile(configuration.files({ home: homedir(), platform, env }));
}
