type KindOf<T> = T extends string
  ? 'string'
  : T extends number
    ? 'number'
    : T extends boolean
      ? 'boolean'
      : T extends readonly unknown[]
        ? 'array'
        : 'object';

type RequiredName<Message> = {
  [Name in keyof Message]-?: object extends Pick<Message, Name> ? never : Name;
}[keyof Message];

/** The kinds of the members that each message of the host has besides its type. Optional ones are not named. */
export type HostMessages<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: {
    readonly [Name in Exclude<RequiredName<Extract<Message, { readonly type: Type }>>, 'type'>]: KindOf<
      Extract<Message, { readonly type: Type }>[Name]
    >;
  };
};

/** Whether this is a message with all its members. What is in them comes from the host and is not checked. */
export function isHostMessage<Message extends { readonly type: string }>(
  data: unknown,
  messages: HostMessages<Message>,
): data is Message {
  if (kindOf(data) !== 'object') return false;
  const { type, ...members } = data as Record<string, unknown>;
  if (typeof type !== 'string' || !Object.hasOwn(messages, type)) return false;
  const kinds = Object.entries<string>(messages[type as Message['type']]);
  return kinds.every(([name, kind]) => Object.hasOwn(members, name) && kindOf(members[name]) === kind);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
