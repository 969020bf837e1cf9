/** What an answer must consist of, as the chat-completions and the responses format say it. */
import * as z from 'zod/mini';
import { jsonObject } from './check.ts';
import type { ResponseFormat } from './conversation.ts';
import { defined } from './json.ts';

const namedSchema = {
  name: z.nullish(z.string()),
  description: z.nullish(z.string()),
  schema: z.nullish(jsonObject),
  strict: z.nullish(z.boolean()),
};

/** The schema is in an object in one format, and beside the type in the other. Some clients send that of the other. */
export const writtenFormat = z.looseObject({
  type: z.string(),
  ...namedSchema,
  json_schema: z.nullish(z.looseObject(namedSchema)),
});

export function decodeResponseFormat(
  wire: z.infer<typeof writtenFormat> | null | undefined,
): ResponseFormat | undefined {
  switch (wire?.type) {
    case 'text':
      return { type: 'text' };
    case 'json_object':
      // Some servers take a schema here.
      return wire.schema ? { type: 'jsonSchema', schema: wire.schema } : { type: 'jsonObject' };
    case 'json_schema': {
      const { name, description, schema, strict } = wire.json_schema ?? wire;
      const extra = { name: name ?? undefined, description: description ?? undefined, strict: strict ?? undefined };
      return { type: 'jsonSchema', schema: schema ?? {}, ...defined(extra) };
    }
    default:
      return undefined;
  }
}
