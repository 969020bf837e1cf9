import type { AttachmentView, ContextChoiceView, PageView, PromptView } from '../../../../src/pages/chat/protocol.ts';
import { answer, BASE, CATALOG, NOW, SCREENSHOT, SELECTION, user } from '../samples.ts';
import type { GalleryState } from './galleryState.ts';
import { CONVERSATION, chat, DRAFT, NOTHING_YET, WRITING } from './parts.ts';

const PROMPTS: readonly PromptView[] = [
  builtIn('explain', 'What the code does and what to watch out for', 364),
  builtIn('fix', 'Fix what the editor reports', 388),
  builtIn('tests', 'Write tests', 391),
  builtIn('document', 'Add documentation comments', 402),
  builtIn('review', 'Find bugs and unclear code', 359),
  { ...builtIn('commit-message', 'For your Git changes', 71), addsChanges: true },
  { id: 'p1', name: 'add-zone', description: 'Add a delivery zone', source: 'repository', tokens: 214 },
  { id: 'p2', name: 'changelog', description: 'Entry from the last tag', source: 'repository', tokens: 388 },
  { id: 'p3', name: 'terse', description: 'Three sentences at most', source: 'profile', tokens: 26 },
];

function builtIn(name: string, description: string, tokens: number): PromptView {
  return { id: `builtIn:${name}`, name, description, source: 'builtIn', tokens };
}

const CHOICES: readonly ContextChoiceView[] = [
  { id: 'file', kind: 'file', group: 'file', label: 'session.ts', detail: 'src', tokens: 1276 },
  { id: 'selection', kind: 'selection', group: 'file', label: 'Selection', detail: 'session.ts:42–67', tokens: 318 },
  { id: 'symbol:0', kind: 'function', group: 'symbols', label: 'sessionOf', detail: 'src/session.ts:10', tokens: 96 },
  { id: 'symbol:1', kind: 'function', group: 'symbols', label: 'parseSession', detail: 'src/parse.ts:17', tokens: 84 },
  { id: 'symbol:2', kind: 'symbol', group: 'symbols', label: 'SessionLimit', detail: 'src/limits.ts:4', tokens: 41 },
  { id: 'path:a', kind: 'file', group: 'paths', label: 'session.test.ts', detail: 'test', tokens: 1920 },
  { id: 'path:b', kind: 'folder', group: 'paths', label: 'sessions/', detail: 'src · 6 files', tokens: 2400 },
  { id: 'path:c', kind: 'folder', group: 'paths', label: 'server/', detail: 'src · 64 files', isLarge: true },
  {
    id: 'instructions',
    kind: 'instructions',
    group: 'more',
    label: 'AGENTS.md',
    detail: 'Workspace instructions',
    tokens: 412,
  },
  { id: 'problems', kind: 'problems', group: 'more', label: 'Problems in session.ts', detail: '2', tokens: 128 },
  { id: 'terminal', kind: 'terminal', group: 'more', label: 'Selection in the terminal', detail: 'bash' },
  { id: 'address', kind: 'address', group: 'more', label: 'Text of web page…', detail: 'https://' },
];

/** An address after the `@`. */
const ADDRESS: readonly ContextChoiceView[] = [
  {
    id: 'address:https://docs.example.com/rates',
    kind: 'address',
    group: 'more',
    label: 'docs.example.com/rates',
    detail: 'Page text',
    isFetched: true,
  },
];

const PAGE: PageView = {
  label: 'docs.example.com/rates',
  title: 'Delivery rates 2026',
  tokens: 1900,
  start: 'Local parcels up to 2 kg cost 3.50. National parcels up to 2 kg cost 5.90…',
};

const WITH_INSTRUCTIONS = {
  ...BASE.parameters,
  instructions: { label: 'AGENTS.md', tokens: 412, isSent: true },
};

const ATTACHED: readonly AttachmentView[] = [
  SELECTION,
  { id: 'b1', kind: 'folder', label: 'server/', tokens: 8400, note: '12 files' },
  { id: 'b2', kind: 'problems', label: 'Problems', tokens: 310, note: '7 problems' },
  { id: 'b3', kind: 'diff', label: 'Changes', tokens: 1900 },
  { id: 'b4', kind: 'terminal', label: 'Terminal: bash', tokens: 420 },
  SCREENSHOT,
];

/** States of the composer, and of the popovers above it. */
export const COMPOSER_STATES: readonly GalleryState[] = [
  { name: 'models', title: 'Choosing a model', popover: 'models', draft: DRAFT, state: chat(CONVERSATION, WRITING) },
  {
    name: 'models-stale',
    title: 'Last known models',
    popover: 'models',
    state: {
      ...BASE,
      ...NOTHING_YET,
      catalog: { ...CATALOG, state: 'stale', readAt: NOW - 360_000, problem: 'No connection' },
    },
  },
  {
    name: 'models-failed',
    title: 'Models could not be read',
    popover: 'models',
    state: { ...BASE, ...NOTHING_YET, model: '', catalog: { models: [], state: 'failed', problem: 'No connection' } },
  },
  { name: 'formats', title: 'Choosing a format', popover: 'formats', state: chat(CONVERSATION, WRITING) },
  {
    name: 'parameters',
    title: 'Parameters',
    popover: 'parameters',
    state: chat(CONVERSATION, {
      parameters: {
        own: { temperature: 0.2, systemPrompt: 'Answer in one paragraph, with code first.' },
        defaults: { systemPrompt: '', maxTokens: 4096, stopSequences: [] },
        presets: ['Short answers', 'Review of a pull request'],
      },
    }),
  },
  {
    name: 'parameters-dropped',
    title: 'Parameters that the format does not carry',
    popover: 'parameters',
    state: chat(CONVERSATION, {
      format: 'responses',
      parameters: {
        own: { stopSequences: ['END'] },
        defaults: { systemPrompt: '', maxTokens: 4096, stopSequences: [] },
        presets: [],
        dropped: ['stopSequences'],
      },
    }),
  },
  {
    name: 'prompts',
    title: 'Prompts',
    draft: '/',
    popover: 'prompts',
    prompts: PROMPTS,
    state: chat(CONVERSATION),
  },
  {
    name: 'context',
    title: 'What can be attached',
    draft: 'Why does @se',
    popover: 'context',
    context: CHOICES,
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'context-address',
    title: 'An address to attach',
    draft: 'Do the rates match @https://docs.example.com/rates',
    popover: 'context',
    context: ADDRESS,
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'page',
    title: 'A page that was attached',
    draft: 'Do the rates match ',
    popover: 'page',
    page: PAGE,
    state: chat(CONVERSATION, {
      ...WRITING,
      attachments: [{ id: 'a1', kind: 'address', label: PAGE.label, tokens: PAGE.tokens, note: PAGE.title }],
    }),
  },
  {
    name: 'instructions',
    title: 'What AGENTS.md is',
    popover: 'instructions',
    state: chat(CONVERSATION, { ...WRITING, parameters: WITH_INSTRUCTIONS, attachments: [SELECTION] }),
  },
  {
    name: 'context-none',
    title: 'Nothing to attach matches',
    draft: '@nowhere',
    popover: 'context',
    context: [],
    state: chat(CONVERSATION),
  },
  {
    name: 'attached',
    title: 'One of each attachment',
    draft: DRAFT,
    state: chat(CONVERSATION, { ...WRITING, attachments: ATTACHED }),
  },
  {
    name: 'attached-sent',
    title: 'A picture in a question',
    state: chat([
      user('u1', 'What is wrong here?', [SCREENSHOT, SELECTION]),
      answer('b1', 'The heading covers the first line of the list.'),
    ]),
  },
  {
    name: 'prompts-none',
    title: 'No prompts yet',
    draft: '/',
    popover: 'prompts',
    prompts: [],
    state: chat(CONVERSATION),
  },
  {
    name: 'comparing',
    title: 'Choosing models to compare',
    popover: 'models',
    draft: DRAFT,
    compared: ['familya-sonnet-4.6', 'familya-haiku-4.5'],
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'more',
    title: 'What has no room in a narrow panel',
    popover: 'more',
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'breakdown',
    title: 'What the request costs',
    popover: 'breakdown',
    draft: DRAFT,
    state: chat(CONVERSATION, WRITING),
  },
];
