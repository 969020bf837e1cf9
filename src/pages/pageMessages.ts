import * as z from 'zod/mini';

/** The members that each message of a page has besides its type, by its type. */
export type MessageShapes = { readonly [Type in string]: Readonly<Record<string, z.core.$ZodType>> };

/** What the messages of these shapes are. */
export type MessageOf<Shapes extends MessageShapes> = {
  [Type in keyof Shapes & string]: { readonly type: Type } & MembersOf<Shapes[Type]>;
}[keyof Shapes & string];

type MembersOf<Shape> = {
  readonly [Name in keyof Shape as Shape[Name] extends Optional ? never : Name]: ContentOf<Shape[Name]>;
} & {
  readonly [Name in keyof Shape as Shape[Name] extends Optional ? Name : never]?: Exclude<
    ContentOf<Shape[Name]>,
    undefined
  >;
};

interface Optional {
  readonly _zod: { readonly optout: 'optional' };
}

type ContentOf<Schema> = Unchangeable<z.infer<Schema>>;

type Unchangeable<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : { readonly [Name in keyof Value]: Unchangeable<Value[Name]> };

/** Returns undefined for anything that is not a message of the page. */
export type MessageReader<Message> = (received: unknown) => Message | undefined;

/**
 * Checks what a page sends. The content of an answer could have taken a page over, so nothing that it sends is taken for
 * what its types say.
 */
export function messageReader<Shapes extends MessageShapes>(shapes: Shapes): MessageReader<MessageOf<Shapes>> {
  return (received) => {
    const type = typeOf(received);
    if (type === undefined || !Object.hasOwn(shapes, type)) return undefined;
    const { data } = z.object(shapes[type] ?? {}).safeParse(received);
    // A page must start whatever an earlier version of it has kept.
    if (data === undefined && type !== 'ready') return undefined;
    return { type, ...data } as unknown as MessageOf<Shapes>;
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
