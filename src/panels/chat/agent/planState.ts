import * as l10n from '@vscode/l10n';
import type { PlanItem } from '../../../editor/chat/protocol.ts';

export const PLAN_ICONS: Readonly<Record<PlanItem['state'], string>> = {
  done: 'check',
  current: 'circle-filled',
  open: 'circle-large',
};

export function planStateText(state: PlanItem['state']): string {
  switch (state) {
    case 'done':
      return l10n.t('done');
    case 'current':
      return l10n.t('current');
    case 'open':
      return l10n.t('open');
  }
}
