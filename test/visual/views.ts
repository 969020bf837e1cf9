/**
 * The states of the panels that have stored pictures. Of the chat, every state in one theme and width, and the most
 * important ones in all; of the tabs, the most important ones.
 */
import { STATES } from '../gallery/chat/states.ts';
import { THEMES } from '../gallery/shared/themes.ts';

export interface View {
  readonly panel:
    | 'agentReview'
    | 'chat'
    | 'configureAgent'
    | 'connectTool'
    | 'localKey'
    | 'routes'
    | 'session'
    | 'traffic'
    | 'usage';
  /** Name of the picture, such as `markdown-dark-340`. */
  readonly name: string;
  readonly state: string;
  readonly theme: string;
  /** English by default. */
  readonly language?: string;
  /** In CSS pixels. */
  readonly width: number;
  /** In CSS pixels; 640 by default. A longer page is shown completely in one picture. */
  readonly height?: number;
}

/** Together these contain all surfaces that a theme colors. */
const IN_ALL_THEMES = ['first-run', 'markdown', 'failed-credit', 'models', 'comparison', 'prompts', 'context'];

/** States with different layouts in narrow and wide panels. */
const IN_ALL_WIDTHS = ['conversation', 'comparison', 'history', 'models', 'parameters', 'prompts', 'context'];

/** The mode of the agent, whose popover has a switch. */
const MODE_VIEWS: readonly View[] = [
  ...THEMES.filter((theme) => theme !== 'dark').map((theme) => view('mode', theme, 340)),
  inLanguage(view('mode', 'dark', 340), 'de'),
];

/** Runs of the agent, which are higher than other states, that have other colors or layouts. */
const RUNS = [
  'agent-run',
  'agent-approval',
  'agent-outside',
  'agent-instructions',
  'agent-cap',
  'agent-restore',
  'agent-helpers',
  'agent-commands',
];
const RUN_VIEWS: readonly View[] = [
  ...RUNS.flatMap((state) => THEMES.filter((theme) => theme !== 'dark').map((theme) => view(state, theme, 340))),
  ...RUNS.flatMap((state) => [220, 560].map((width) => view(state, 'dark', width))),
  ...['agent-run', 'agent-approval', 'agent-cap'].map((state) => inLanguage(view(state, 'dark', 340), 'de')),
  inLanguage(view('agent-run', 'dark', 560), 'de'),
  inLanguage(view('agent-run', 'dark', 340), 'zh-cn'),
];

/** States that wrap first in languages without spaces, or with long words. */
const IN_OTHER_LANGUAGES = ['breakdown', 'models', 'conversation', 'context'];

/** Only shown in narrow panels. */
const NARROW = 'more';

const CONFIGURE_VIEWS: readonly View[] = [
  ...THEMES.map((theme) => tab('configureAgent', 'full', theme, 760)),
  ...['none', 'untrusted'].map((state) => tab('configureAgent', state, 'dark', 760)),
  tab('configureAgent', 'full', 'dark', 300),
  inLanguage(tab('configureAgent', 'full', 'dark', 560), 'de'),
  inLanguage(tab('configureAgent', 'full', 'dark', 285), 'de'),
];

const CONNECT_VIEWS: readonly View[] = [
  ...THEMES.map((theme) => tab('connectTool', 'new', theme, 760)),
  tab('connectTool', 'none', 'dark', 760),
  ...['dark', 'light'].map((theme) => tab('connectTool', 'connected', theme, 760)),
  ...['new', 'connected'].flatMap((state) => [340, 1280].map((width) => tab('connectTool', state, 'dark', width))),
  ...['used', 'fields', 'aliases', 'failed', 'unreadable', 'wrong'].map((state) =>
    tab('connectTool', state, 'dark', 760),
  ),
  ...['de', 'zh-cn'].map((language) => inLanguage(tab('connectTool', 'new', 'dark', 560), language)),
];

const ROUTES_VIEWS: readonly View[] = [
  ...THEMES.map((theme) => tab('routes', 'routes', theme, 1280)),
  ...['unhealthy', 'rule', 'wrong', 'meanwhile', 'none', 'unreadable'].map((state) =>
    tab('routes', state, 'dark', 1280),
  ),
  tab('routes', 'unhealthy', 'light', 285),
  ...[285, 760].map((width) => tab('routes', 'rule', 'dark', width)),
  tab('routes', 'wrong', 'light', 285),
  inLanguage(tab('routes', 'rule', 'dark', 285), 'de'),
  inLanguage(tab('routes', 'routes', 'dark', 1280), 'zh-cn'),
];

const SESSIONS_VIEWS: readonly View[] = [
  ...THEMES.map((theme) => tab('usage', 'sessions', theme, 1280)),
  ...[340, 560].map((width) => tab('usage', 'sessions', 'dark', width)),
  ...['de', 'zh-cn'].map((language) => inLanguage(tab('usage', 'sessions', 'dark', 560), language)),
];

const CONTEXT_VIEWS: readonly View[] = [
  { ...tab('traffic', 'context', 'dark', 900), height: 900 },
  ...THEMES.map((theme) => ({ ...tab('session', 'context', theme, 900), height: 1040 })),
  { ...tab('session', 'context', 'dark', 400), height: 1400 },
  inLanguage({ ...tab('session', 'context', 'dark', 560), height: 1040 }, 'de'),
  inLanguage({ ...tab('session', 'context', 'dark', 560), height: 1040 }, 'zh-cn'),
  { ...tab('session', 'context-long', 'dark', 900), height: 1040 },
];

const REVIEW_VIEWS: readonly View[] = [
  ...THEMES.map((theme) => tab('agentReview', 'changes', theme, 640)),
  tab('agentReview', 'changes', 'dark', 340),
  ...['edited', 'restore'].flatMap((state) => [
    ...THEMES.map((theme) => tab('agentReview', state, theme, 640)),
    tab('agentReview', state, 'dark', 340),
  ]),
  tab('agentReview', 'edited', 'dark', 1280),
  ...THEMES.map((theme) => tab('agentReview', 'proposed', theme, 640)),
  tab('agentReview', 'proposed', 'dark', 340),
  tab('agentReview', 'sample', 'dark', 640),
  ...['empty', 'decided'].map((state) => tab('agentReview', state, 'dark', 640)),
  inLanguage(tab('agentReview', 'changes', 'dark', 640), 'de'),
];

export const VIEWS: readonly View[] = [
  ...STATES.filter(({ name, live }) => live !== true && name !== NARROW).map(({ name }) => view(name, 'dark', 340)),
  ...IN_ALL_THEMES.flatMap((state) =>
    THEMES.filter((theme) => theme !== 'dark').map((theme) => view(state, theme, 340)),
  ),
  ...RUN_VIEWS,
  ...MODE_VIEWS,
  ...[220, 280].map((width) => view(NARROW, 'dark', width)),
  // The width at which the editor opens it: the prices have a line of their own below the capabilities.
  view('models', 'dark', 300),
  inLanguage(view('models', 'dark', 300), 'de'),
  ...IN_ALL_WIDTHS.flatMap((state) => [220, 560].map((width) => view(state, 'dark', width))),
  ...['de', 'zh-cn'].flatMap((language) => [
    ...IN_OTHER_LANGUAGES.map((state) => inLanguage(view(state, 'dark', 220), language)),
    inLanguage(view('near-balance', 'dark', 340), language),
    inLanguage(tab('usage', 'month', 'dark', 340), language),
    inLanguage(tab('traffic', 'list', 'dark', 900), language),
    inLanguage(tab('traffic', 'tree', 'dark', 900), language),
    inLanguage(tab('session', 'running', 'dark', 900), language),
  ]),
  ...THEMES.flatMap((theme) => [tab('traffic', 'detail', theme, 1280), tab('usage', 'month', theme, 1280)]),
  ...[340, 560, 900].flatMap((width) => [tab('traffic', 'list', 'dark', width), tab('usage', 'month', 'dark', width)]),
  ...THEMES.flatMap((theme) => [
    tab('traffic', 'tree', theme, 1280),
    { ...tab('session', 'running', theme, 1280), height: 1040 },
  ]),
  ...[340, 560, 900].map((width) => tab('session', 'running', 'dark', width)),
  ...CONTEXT_VIEWS,
  ...[340, 560, 900].map((width) => tab('traffic', 'tree', 'dark', width)),
  ...THEMES.map((theme) => ({ ...tab('traffic', 'why', theme, 1280), height: 900 })),
  { ...tab('traffic', 'why', 'dark', 340), height: 1100 },
  { ...inLanguage(tab('traffic', 'why', 'dark', 560), 'de'), height: 1000 },
  tab('usage', 'month', 'dark', 240),
  ...THEMES.map((theme) => ({ ...tab('usage', 'team', theme, 1280), height: 1000 })),
  tab('usage', 'team', 'dark', 340),
  ...SESSIONS_VIEWS.map((view) => ({ ...view, height: view.width < 900 ? 3000 : 2200 })),
  ...['losses', 'uncached'].map((state) => ({ ...tab('usage', state, 'dark', 900), height: 2000 })),
  ...THEMES.map((theme) => tab('localKey', 'filled', theme, 760)),
  ...['empty', 'wrong', 'created', 'existing'].map((state) => tab('localKey', state, 'dark', 760)),
  tab('localKey', 'filled', 'dark', 300),
  inLanguage(tab('localKey', 'filled', 'dark', 560), 'de'),
  ...ROUTES_VIEWS.map((view) => ({ ...view, height: view.width < 400 ? 3000 : 1500 })),
  ...REVIEW_VIEWS.map((view) => ({ ...view, height: 900 })),
  ...CONFIGURE_VIEWS.map((view) => ({ ...view, height: view.width < 560 ? 1800 : 1140 })),
  ...CONNECT_VIEWS.map((view) => ({ ...view, height: view.width < 560 ? 1640 : 1240 })),
  ...['sealed', 'request', 'events', 'running', 'empty', 'problem'].map((state) => tab('traffic', state, 'dark', 900)),
  ...[285, 1280].map((width) => tab('traffic', 'sandbox', 'dark', width)),
  tab('traffic', 'attempts', 'dark', 1280),
  tab('traffic', 'attempts', 'light', 460),
  ...['hours', 'unpriced', 'empty', 'failed', 'team-failed'].map((state) => tab('usage', state, 'dark', 900)),
];

function view(state: string, theme: string, width: number): View {
  const height = state.startsWith('agent-') ? { height: 960 } : {};
  return { panel: 'chat', name: `${state}-${theme}-${width}`, state, theme, width, ...height };
}

function tab(
  panel: 'agentReview' | 'configureAgent' | 'connectTool' | 'localKey' | 'routes' | 'session' | 'traffic' | 'usage',
  state: string,
  theme: string,
  width: number,
): View {
  return { panel, name: `${panel}-${state}-${theme}-${width}`, state, theme, width };
}

function inLanguage(view: View, language: string): View {
  return { ...view, name: `${view.name}-${language}`, language };
}
