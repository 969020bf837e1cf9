import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { undefinedIfMissing } from '../../../files/undefinedIfMissing.ts';
import { chooseFile } from '../../../tools/configurationFile.ts';
import { findProgram, versionOf } from '../../../tools/installedTools.ts';
import type { ClientProgram } from '../../../tools/tool.ts';
import { TOOLS } from '../../../tools/toolList.ts';

/** A tool and what was found of it on this machine. */
export interface FoundTool {
  readonly tool: ClientProgram;
  /** Whether its program, its extension, or its file was found. */
  readonly isFound: boolean;
  /** The path of the file to change, whether or not it exists. Links are followed if they have a target. */
  readonly file?: string;
  /** The path of its program. */
  readonly program?: string;
  readonly version?: string;
}

/** Finds the tools on this machine. */
export class ToolFinder {
  /** By program path. Cached, because asking may take seconds. */
  readonly #versions = new Map<string, Promise<string | undefined>>();

  /** Finds the tools without their programs' versions, which take longer. */
  find(): Promise<FoundTool[]> {
    return Promise.all(TOOLS.map((tool) => this.#find(tool)));
  }

  /** Adds the versions that the tools' programs report. */
  withVersions(found: readonly FoundTool[]): Promise<FoundTool[]> {
    return Promise.all(found.map((tool) => this.#withVersion(tool)));
  }

  async #find(tool: ClientProgram): Promise<FoundTool> {
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
    // Windows runs command files only through a shell.
    if (program === undefined || /\.(cmd|bat)$/i.test(program)) return found;
    const asked = this.#versions.get(program) ?? versionOf(program);
    this.#versions.set(program, asked);
    const version = await asked;
    return version === undefined ? found : { ...found, version };
  }
}

/** A link without a target is shown itself; the preview reports the problem. */
async function targetOf(file: string): Promise<string> {
  return (await undefinedIfMissing(realpath(file))) ?? file;
}

/** Returns the tool's existing file, or else the one to create. */
export async function fileOf({ configuration }: ClientProgram): Promise<string | undefined> {
  if (configuration === undefined) return undefined;
  const { env, platform } = process;
  return await chooseFile(configuration.files({ home: homedir(), platform, env }));
}
