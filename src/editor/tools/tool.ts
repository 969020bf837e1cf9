import type { FormatName as WireFormatName } from '../../formats/conversation.ts';
import type { ConfigurationFormatName } from './configuration/configurationFormat.ts';
import type { Change } from './configuration/edits.ts';

/** What a tool needs to know of the gateway. */
export interface Access {
  /** With its prefix, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  /** That of the tool's own local key. */
  readonly secret: string;
  readonly model: string;
  /** For titles and other small tasks; the main model where it is absent. */
  readonly smallModel?: string;
  /** Tokens that the model can take in. */
  readonly contextWindow: number;
  /** Most tokens of an answer; absent where the catalog does not tell. */
  readonly maxOutputTokens?: number;
}

/** Where tools look for their files. */
export interface Places {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Tool {
  readonly id: string;
  /** As its makers write it; also the name of its local key. */
  readonly name: string;
  /** In which it asks. */
  readonly format: WireFormatName;
  /** Address of the page that documents how it is configured. */
  readonly documentation: string;
  /** Name of its program on the `PATH`. */
  readonly program?: string;
  /** Id of its extension for this editor. */
  readonly extension?: string;
  readonly configuration?: ToolConfiguration;
  /** Names of models that it asks for in some of its requests, whatever its configuration says. */
  readonly fixedModels?: readonly string[];
  /** For a tool without a file of its own, or for what does not belong into the file. */
  readonly snippet?: (access: Access) => string;
}

export interface ToolConfiguration {
  readonly format: ConfigurationFormatName;
  /** Full paths; the first that exists is edited, else the first is made. */
  readonly files: (places: Places) => readonly [string, ...string[]];
  readonly changes: (access: Access) => readonly Change[];
}

/** Messages style clients append the version themselves. */
export function withoutVersion(address: string): string {
  return address.replace(/\/v1$/, '');
}
