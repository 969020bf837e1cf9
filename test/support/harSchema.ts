/**
 * Schema of HTTP archives, version 1.2, with the required members of http://www.softwareishard.com/blog/har-12-spec/.
 */
import * as z from 'zod/mini';

const pair = z.object({ name: z.string(), value: z.string() });
const milliseconds = z.number().check(z.nonnegative());
/** -1 if unknown. */
const size = z.number().check(z.gte(-1));
const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

const message = {
  httpVersion: z.string(),
  cookies: z.array(pair),
  headers: z.array(pair),
  headersSize: size,
  bodySize: size,
};

const entry = z.object({
  startedDateTime: time,
  time: milliseconds,
  request: z.object({
    ...message,
    method: z.string(),
    url: z.url(),
    queryString: z.array(pair),
    postData: z.optional(z.object({ mimeType: z.string(), text: z.string() })),
  }),
  response: z.object({
    ...message,
    status: z.number(),
    statusText: z.string(),
    redirectURL: z.string(),
    content: z.object({ size: z.number(), mimeType: z.string(), text: z.optional(z.string()) }),
  }),
  cache: z.object({}),
  timings: z.object({ blocked: size, send: milliseconds, wait: milliseconds, receive: milliseconds }),
});

export const harSchema = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(entry),
  }),
});
