import type { AttachmentView, ContextChoiceView, PromptView } from '../../../../editor/chat/protocol.ts';
import { answer, BASE, CATALOG, NOW, SCREENSHOT, SELECTION, user } from '../samples.ts';
import type { GalleryState } from './galleryState.ts';
import { CONVERSATION, chat, DRAFT, NOTHING_YET, WRITING } from './parts.ts';

const PROMPTS: readonly PromptView[] = [
  { id: 'p1', name: 'explain', description: 'Explain to someone new to the project', source: 'workspace' },
  { id: 'p2', name: 'review', description: 'Look for faults, not for style', source: 'workspace' },
  { id: 'p3', name: 'translate', description: 'Into plain English', source: 'profile' },
];

const CHOICES: readonly ContextChoiceView[] = [
  { id: 'selection', kind: 'selection', label: 'Selection', detail: 'session.ts:42–67' },
  { id: 'terminal', kind: 'terminal', label: 'Selection in the terminal', detail: 'bash' },
  { id: 'path:src/session.ts', kind: 'file', label: 'session.ts', detail: 'src' },
  { id: 'path:test/session.test.ts', kind: 'file', label: 'session.test.ts', detail: 'test' },
  { id: 'path:src/server/', kind: 'folder', label: 'server/', detail: 'src' },
];

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
