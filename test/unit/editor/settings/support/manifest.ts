import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';

const settingSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]),
  default: z.unknown(),
  scope: z.string(),
  order: z.number(),
  markdownDescription: z.string(),
  markdownDeprecationMessage: z.optional(z.string()),
  enum: z.optional(z.array(z.union([z.string(), z.boolean()]))),
  tags: z.optional(z.array(z.string())),
});
export type Setting = z.infer<typeof settingSchema>;

const manifestSchema = z.object({
  capabilities: z.object({
    untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
  }),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string() })),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
    configuration: z.array(
      z.object({ title: z.string(), order: z.number(), properties: z.record(z.string(), settingSchema) }),
    ),
  }),
});
export type Manifest = z.infer<typeof manifestSchema>;

const texts = z.record(z.string(), z.string());

/** Reads the manifest with its English texts instead of their keys. */
export async function readManifest(): Promise<Manifest> {
  const [manifest, english] = await Promise.all([readText('package.json'), readText('package.nls.json')]);
  const words = z.parse(texts, JSON.parse(english));
  return z.parse(
    manifestSchema,
    JSON.parse(manifest, (_, value: unknown) => {
      const key = typeof value === 'string' ? /^%([\w.-]+)%$/.exec(value)?.[1] : undefined;
      return key === undefined ? value : words[key];
    }),
  );
}

function readText(name: string): Promise<string> {
  return readFile(new URL(`../../../../../${name}`, import.meta.url), 'utf8');
}
