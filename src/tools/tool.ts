import type { FormatName as WireFormatName } from '../formats/conversation.ts';
import type { ConfigurationFormatName } from './configuration/configurationFormat.ts';
import type { Change } from './configuration/edits.ts';

/** The data that a tool needs to use the gateway. */
export interface ToolAccess {
  /** With its prefix, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  /** The secret of the tool's own local key. */
  readonly secret: string;
  readonly model: string;
  /** The model for titles and other small tasks. Defaults to the main model. */
  readonly smallModel?: string;
  /** The model's context window in tokens. */
  readonly contextWindow: number;
  /** The maximum number of tokens of an answer. Undefined if the catalog does not contain it. */
  readonly maxOutputTokens?: number;
  /** The other models of the catalog, for tools whose file lists models. */
  readonly others?: readonly ToolModel[];
}

/** A model in a tool's list, with its limits in tokens. */
export interface ToolModel {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
}

/** The folders in which tools look for their files. */
export interface Places {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ClientProgram {
  readonly id: string;
  /** The vendor's spelling, which is also the name of its local key. */
  readonly name: string;
  /** The wire format of its requests. */
  readonly format: WireFormatName;
  /** The address of the documentation of its configuration. */
  readonly documentation: string;
  /** The name of its program on the `PATH`. */
  readonly program?: string;
  /** The ID of its extension for this editor. */
  readonly extension?: string;
  readonly configuration?: ToolConfiguration;
  /** Names of models that it requests in some cases, regardless of its configuration. */
  readonly fixedModels?: readonly string[];
  /** A text to copy, for a tool without a file, or for settings that do not belong in the file. */
  readonly snippet?: (access: ToolAccess) => string;
}

export interface ToolConfiguration {
  readonly format: ConfigurationFormatName;
  /** Full paths. The first one that exists is edited, or else the first one is created. */
  readonly files: (places: Places) => readonly [string, ...string[]];
  readonly changes: (access: ToolAccess) => readonly Change[];
}

/** Clients of the messages format append the version themselves. */
export function withoutVersion(address: string): string {
  return address.replace(/\/v1$/, '');
}
export const NAME = 'Model Access';
/** All models of the catalog, the chosen one first. */
export function modelsOf({ model: id, contextWindow, maxOutputTokens, others = [] }: ToolAccess): readonly ToolModel[] {
  return [{ id, contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }) }, ...others];
}

export function set(path: readonly string[], value: Extract<Change, { kind: 'set' }>['value']): Change {
  return { kind: 'set', path, value };
}
