import type { PageTransport } from '../../pages/page.ts';

/** The editor's API for webview scripts. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The properties of a page that identify its host. */
type WebviewPage = Pick<Window, 'origin' | 'length'> & { readonly [frame: number]: unknown };

/**
 * Whether a message comes from the editor, whose outer frame has the page's own origin. The frame for diagrams has
 * none; code in a diagram may have taken it over. The editor hides `window.parent`, so it cannot be compared.
 */
export function isFromHost({ origin, source }: Pick<MessageEvent, 'origin' | 'source'>, page: WebviewPage): boolean {
  const frames = Array.from({ length: page.length }, (_, index) => page[index]);
  return origin === page.origin && source !== null && !frames.includes(source);
}

/** Connects to the host. Called once per page, because the editor provides its API only once. */
export function webviewTransport<ToPage extends { readonly type: string }, ToHost, Kept = undefined>(
  messages: HostMessages<ToPage>,
): PageTransport<ToPage, ToHost, Kept> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    listen(receive) {
      const listener = (event: MessageEvent<unknown>) => {
        if (isFromHost(event, window) && isHostMessage(event.data, messages)) receive(event.data);
      };
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
    kept: () => api.getState() as Kept | undefined,
    keep: (value) => api.setState(value),
  };
}

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
type HostMessages<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: {
    readonly [Name in Exclude<RequiredName<Extract<Message, { readonly type: Type }>>, 'type'>]: KindOf<
      Extract<Message, { readonly type: Type }>[Name]
    >;
  };
};

/** Whether this is a message with all its members. What is in them comes from the host and is not checked. */
function isHostMessage<Message extends { readonly type: string }>(
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
