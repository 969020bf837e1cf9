import * as z from 'zod/mini';

/** One of the messages of a page, by its type. Several types can share their other members. */
type MessageOf<Message, Type> = Message extends { readonly type: infer Own }
  ? Type extends Own
    ? Message
    : never
  : never;

/** The members that each message of a page has besides its type. */
export type MessageShapes<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: {
    readonly [Name in Exclude<keyof MessageOf<Message, Type>, 'type'>]: z.core.$ZodType<MessageOf<Message, Type>[Name]>;
  };
};

/** Returns undefined for anything that is not a message of the page. */
export type MessageReader<Message> = (received: unknown) => Message | undefined;

/**
 * Checks what a page sends. The content of an answer could have taken a page over, so nothing that it sends is taken for
 * what its types say.
 */
export function messageReader<Message extends { readonly type: string }>(
  shapes: MessageShapes<Message>,
): MessageReader<Message> {
  return (received) => {
    const type = typeOf(received);
    if (type === undefined || !Object.hasOwn(shapes, type)) return undefined;
    const { data } = z.object(shapes[type as Message['type']]).safeParse(received);
    // A page must start whatever an earlier version of it has kept.
    if (data === undefined && type !== 'ready') return undefined;
    return { type, ...data } as unknown as Message;
  };
}

/** The type of a message, which may be unknown. */
function typeOf(received: unknown): string | undefined {
  if (typeof received !== 'object' || received === null || !Object.hasOwn(received, 'type')) return undefined;
  const { type } = received as { readonly type?: unknown };
  return typeof type === 'string' ? type : undefined;
}

/** The type of a message, for the log. */
export function nameOfType(received: unknown): string {
  return (typeOf(received) ?? '').slice(0, 40);
}

/** A text that is one of the keys, so that the compiler notices a missing one. */
export function oneOf<Name extends string>(names: Readonly<Record<Name, true>>): z.ZodMiniType<Name> {
  return z.enum(Object.keys(names) as [Name, ...Name[]]);
}
