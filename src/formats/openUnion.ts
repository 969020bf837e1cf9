import * as z from 'zod/mini';

/** An object schema whose `type` is a literal, possibly optional. */
type Tagged = z.ZodMiniObject<{ readonly type: z.ZodMiniType<string | undefined> }, z.core.$loose>;

/**
 * Creates a schema for objects distinguished by their `type`. Objects of any other type are accepted unchanged, but an
 * object of a known type must match that type. `isKnown` distinguishes the two where the compiler cannot.
 */
export function openUnion<const Known extends readonly [Tagged, ...Tagged[]]>(options: Known) {
  const known = z.discriminatedUnion('type', options);
  const types = new Set<unknown>(options.flatMap((option) => [...(option._zod.propValues.type ?? [])]));
  const otherType = z.string().check(z.refine((type) => !types.has(type), { abort: true }));
  return {
    known,
    schema: z.union([known, z.looseObject({ type: otherType })]),
    isKnown: (value: { readonly type?: string | undefined }): value is z.infer<typeof known> => types.has(value.type),
  };
}
