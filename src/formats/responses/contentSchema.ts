import * as z from 'zod/mini';
import { openUnion } from '../check.ts';
import { logProbsSchema } from '../logProbs.ts';

const cacheBreakpoint = z.nullish(z.looseObject({ mode: z.nullish(z.string()), ttl: z.nullish(z.string()) }));
const textFields = { text: z.string(), prompt_cache_breakpoint: cacheBreakpoint };
const inputText = z.looseObject({ type: z.literal('input_text'), ...textFields });
const plainText = z.looseObject({ type: z.literal('text'), ...textFields });
/** A page or file that the text cites. Invalid ones are accepted unread, so that the text is not lost. */
export const annotation = z.catch(
  z.looseObject({
    url: z.nullish(z.string()),
    title: z.nullish(z.string()),
    filename: z.nullish(z.string()),
    start_index: z.nullish(z.number()),
    end_index: z.nullish(z.number()),
  }),
  {},
);
export const logprobs = logProbsSchema;
export const outputText = z.looseObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.nullish(z.array(annotation)),
  logprobs,
});
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const inputImage = z
  .looseObject({
    type: z.literal('input_image'),
    image_url: z.nullish(z.string()),
    file_id: z.nullish(z.string()),
    detail: z.nullish(z.string()),
    prompt_cache_breakpoint: cacheBreakpoint,
  })
  .check(z.refine((image) => Boolean(image.image_url ?? image.file_id), 'This needs image_url or file_id.'));
/**
 * The form of chat-completions, which some clients also use here. It is read because a question without its image is
 * another question.
 */
const chatImage = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.looseObject({ url: z.string(), detail: z.nullish(z.string()) })]),
});
const inputFile = z
  .looseObject({
    type: z.literal('input_file'),
    file_data: z.nullish(z.string()),
    file_id: z.nullish(z.string()),
    file_url: z.nullish(z.string()),
    filename: z.nullish(z.string()),
    prompt_cache_breakpoint: cacheBreakpoint,
  })
  .check(
    z.refine(
      (file) => Boolean(file.file_data ?? file.file_url ?? file.file_id),
      'This needs file_data, file_url or file_id.',
    ),
  );
export const contentPart = openUnion([inputText, plainText, outputText, refusal, inputImage, chatImage, inputFile]);
export const isKnownPart = contentPart.isKnown;
export const content = z.nullable(z.union([z.string(), z.array(contentPart.schema)]));
export type ResponsesAnnotation = z.infer<typeof annotation>;
export type OutputText = z.infer<typeof outputText>;
export type ResponsesContent = z.infer<typeof contentPart.schema>;
export type ResponsesKnownContent = z.infer<typeof contentPart.known>;
