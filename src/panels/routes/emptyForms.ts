import type { RouteForm, RuleForm, TrialForm } from '../../pages/routes/protocol.ts';

export const NO_TRIAL: TrialForm = {
  model: '',
  requestClass: '',
  agent: '',
  tools: '',
  tokens: '1000',
  hasImage: false,
};
export const NEW_ROUTE: RouteForm = {
  name: 'new-route',
  use: [''],
  when: [],
  also: [],
  limits: { firstTokenSeconds: '', idleSeconds: '', totalSeconds: '' },
};
export const NEW_RULE: RuleForm = {
  requestClass: '',
  agent: '',
  tool: '',
  image: '',
  tokensAbove: '',
  tokensBelow: '',
  use: [''],
};
