/** The states of the page of routes. */
import type { CheckedRoutes, RouteForm, RoutesState, RuleForm } from '../../../src/pages/routes/protocol.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: RoutesState;
  readonly checked: CheckedRoutes;
  readonly health?: Readonly<Record<string, string>>;
  /** The index of the rule whose fields are shown. */
  readonly openRule?: number;
  /** Changes of the user. */
  readonly change?: Partial<RouteForm>;
  readonly isSubmitted?: true;
  readonly isSaved?: true;
  /** The routes of the setting after the user began to change them. */
  readonly changedMeanwhile?: readonly RouteForm[];
}

const NO_LIMITS: RouteForm['limits'] = { firstTokenSeconds: '', idleSeconds: '', totalSeconds: '' };
const ANY: RuleForm = { requestClass: '', agent: '', tool: '', image: '', tokensAbove: '', tokensBelow: '', use: [] };

const CODING: RouteForm = {
  name: 'coding',
  use: ['familya-sonnet-4.6', 'vendor/sonnet'],
  when: [
    { ...ANY, requestClass: 'auxiliary', use: ['local/qwen'] },
    { ...ANY, requestClass: 'subagent', agent: 'Explore', use: ['fast'] },
    { ...ANY, tool: 'web_search', use: ['searching'] },
    { ...ANY, image: 'yes', use: ['familyb-3-pro', 'fast'] },
    { ...ANY, tokensAbove: '180000', use: ['familya-opus-4.6'] },
  ],
  also: ['overflow', 'credit'],
  limits: { ...NO_LIMITS, idleSeconds: '300' },
};
const ROUTES: readonly RouteForm[] = [
  CODING,
  { name: 'fast', use: ['familya-haiku-4.5'], when: [], also: [], limits: NO_LIMITS },
  { name: 'searching', use: ['familyb-3-pro', 'familya-haiku-4.5'], when: [], also: [], limits: NO_LIMITS },
];
const STATE: RoutesState = {
  routes: ROUTES,
  unreadable: [],
  json: '',
  targets: [
    { name: 'familya-haiku-4.5', detail: '$1.00 in, $5.00 out per 1M tokens' },
    { name: 'familya-sonnet-4.6', detail: '$3.00 in, $15.00 out per 1M tokens' },
    { name: 'familya-opus-4.6', detail: '$5.00 in, $25.00 out per 1M tokens' },
    { name: 'familyb-3-pro', detail: '$2.00 in, $12.00 out per 1M tokens' },
    { name: 'local/qwen', detail: '' },
    { name: 'vendor/sonnet', detail: '' },
  ],
  ready: [
    {
      title: 'Cheaper for short requests',
      form: {
        ...{ name: 'cheaper-when-short', use: ['familya-sonnet-4.6'], also: [], limits: NO_LIMITS },
        when: [{ ...ANY, tokensBelow: '8000', use: ['familya-haiku-4.5'] }],
      },
    },
    {
      title: 'Second vendor when the first fails',
      form: {
        ...{ name: 'second-vendor', use: ['familya-sonnet-4.6', 'familyb-3-pro'], when: [], limits: NO_LIMITS },
        also: ['credit', 'refusal'],
      },
    },
  ],
  aliases: { 'gpt-5.6-luna': 'fast' },
};
const JSON_OF_CODING = JSON.stringify(
  { coding: { use: CODING.use, also: CODING.also, when: [{ class: 'auxiliary', use: ['local/qwen'] }] } },
  undefined,
  2,
);
const CHECKED: CheckedRoutes = {
  problems: [],
  json: [JSON_OF_CODING],
  trial: {
    route: 'coding',
    rule: 4,
    targets: [
      { name: 'hosted/familya-opus-4.6', inputCost: 0.005 },
      { name: 'vendor/sonnet' },
      { name: 'hosted/familya-haiku-4.5', inputCost: 0.001 },
    ],
  },
};
const WRONG: CheckedRoutes = {
  json: [JSON_OF_CODING],
  problems: [
    { route: 0, field: 'use.2', text: 'Enter a model or a route.', isBlank: true },
    {
      route: 0,
      field: 'when.3.use.1',
      text: 'No upstream offers “fasst”. Use a name such as local/*, vendor/*, familya-haiku-4.5, fast.',
      suggestion: 'fast',
    },
    { route: 0, field: 'idleSeconds', text: 'Enter a number of seconds up to 86400, or leave the field empty.' },
  ],
};

export const STATES: readonly GalleryState[] = [
  { name: 'routes', title: 'Routes with rules', state: STATE, checked: CHECKED },
  {
    name: 'unhealthy',
    title: 'With targets that the gateway avoids',
    state: STATE,
    checked: CHECKED,
    health: {
      'familya-sonnet-4.6': 'hosted: Paused until 14:05:30 after a rate limit. vendor: Failing since 13:58.',
      'hosted/familya-opus-4.6': 'Paused until 14:12:00: out of credit.',
      'vendor/sonnet': 'Failing since 13:58.',
    },
  },
  { name: 'rule', title: 'A rule that is edited', state: STATE, checked: CHECKED, openRule: 3 },
  {
    name: 'wrong',
    title: 'With mistakes',
    state: STATE,
    checked: WRONG,
    openRule: 3,
    change: {
      use: [...CODING.use, ''],
      when: CODING.when.map((rule, index) => (index === 3 ? { ...rule, use: ['familyb-3-pro', 'fasst'] } : rule)),
      limits: { ...CODING.limits, idleSeconds: 'five' },
    },
    isSubmitted: true,
  },
  { name: 'changed', title: 'Changed, not saved', state: STATE, checked: CHECKED, change: { also: ['overflow'] } },
  { name: 'saved', title: 'Saved', state: STATE, checked: CHECKED, change: { also: ['overflow'] }, isSaved: true },
  {
    name: 'meanwhile',
    title: 'The setting was changed meanwhile',
    state: STATE,
    checked: CHECKED,
    change: { also: ['overflow'] },
    changedMeanwhile: ROUTES.slice(0, 2),
  },
  {
    name: 'none',
    title: 'No routes',
    state: { ...STATE, routes: [], aliases: {} },
    checked: { problems: [], json: [], trial: { targets: [] } },
  },
  { name: 'team', title: 'With a team’s gateway', state: { ...STATE, team: 'Platform' }, checked: CHECKED },
  {
    name: 'unreadable',
    title: 'A setting that cannot be read',
    state: {
      ...STATE,
      routes: [],
      unreadable: ['modelAccess.routes.coding.also.0: "sometimes" is not allowed here.'],
      json: '{\n  "coding": {\n    "use": ["familya-sonnet-4.6"],\n    "also": ["sometimes"]\n  }\n}',
    },
    checked: { problems: [], json: [] },
  },
];
