/**
 * The rows of the catalog: the model for each use, favorites, all models by family, and models of others that tools can
 * use.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { familyTitle } from '../../display/models.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { namedModels, upstreamFor } from '../../settings/servedBy.ts';
import type { ConfiguredUpstream } from '../../settings/upstreamList.ts';
import type { ModelUse } from '../models/modelUses.ts';
import type { Row } from '../rows/row.ts';
import { modelRow } from './modelRow.ts';
import { type OtherModel, otherModelsRow } from './otherModels.ts';
import type { ShownRefusal } from './refusals.ts';
import { useTitle } from './useTitle.ts';

export interface CatalogFacts {
  readonly models: readonly Model[];
  /** The upstream of the chat. */
  readonly connection: 'hosted' | 'sandbox';
  /** Names of models. */
  readonly favorites: readonly string[];
  /** The model of the conversation shown. */
  readonly inUse: string;
  /** The model for each use. Without `isChosen`, it is the chat's model. */
  readonly uses: readonly { readonly use: ModelUse; readonly model: string; readonly isChosen: boolean }[];
  readonly upstreams: readonly ConfiguredUpstream[];
  /** What the service and the upstreams refuse. */
  readonly refusals: readonly ShownRefusal[];
  /** Models of other extensions, if the gateway offers them. */
  readonly others: readonly OtherModel[];
}

export function modelRows(facts: CatalogFacts): Row[] {
  const { models, favorites, others } = facts;
  const starred = models.filter(({ id }) => favorites.includes(id));
  return [
    usesRow(facts),
    ...(starred.length === 0 ? [] : [groupRow('favourites', l10n.t('Favorites'), starred, facts)]),
    ...[...Map.groupBy(models, familyTitle)].map(([family, members]) => groupRow('family', family, members, facts)),
    ...facts.upstreams.flatMap((upstream) => upstreamRow(upstream)),
    ...(others.length === 0 ? [] : [otherModelsRow(others)]),
    ...(facts.refusals.length === 0 ? [] : [refusalsRow(facts.refusals)]),
  ];
}

function usesRow({ uses }: CatalogFacts): Row {
  return {
    id: 'uses',
    label: l10n.t('Default models'),
    kind: 'modelUses',
    children: [...uses.map(useRow), ...OTHER_USES.map(otherUseRow)],
  };
}

function useRow({ use, model, isChosen }: CatalogFacts['uses'][number]): Row {
  return {
    id: `use:${use}`,
    label: useTitle(use),
    description: use === 'chat' || isChosen ? model : l10n.t('same as chat'),
    tooltip: model,
    icon: new vscode.ThemeIcon(USE_ICONS[use]),
    kind: 'modelUse',
    subject: use,
    command: { command: 'modelAccess.chooseDefaultModel', title: l10n.t('Choose…'), arguments: [{ subject: use }] },
  };
}

/** Uses whose models have lists and settings of their own. */
const OTHER_USES = [
  { id: 'inlineSuggestion', label: () => l10n.t('Inline suggestions'), command: 'chooseInlineSuggestionModel' },
  { id: 'utility', label: () => l10n.t('Utility model of the editor’s chat'), command: 'chooseUtilityModel' },
] as const;

function otherUseRow({ id, label, command }: (typeof OTHER_USES)[number]): Row {
  return {
    id: `use:${id}`,
    label: label(),
    icon: new vscode.ThemeIcon(id === 'utility' ? 'tools' : 'sparkle'),
    kind: 'modelUseElsewhere',
    command: { command: `modelAccess.${command}`, title: l10n.t('Choose…') },
  };
}

const USE_ICONS: Readonly<Record<ModelUse, string>> = {
  chat: 'comment-discussion',
  explain: 'code',
  commitMessage: 'git-commit',
};

function groupRow(group: 'favourites' | 'family', label: string, models: readonly Model[], facts: CatalogFacts): Row {
  const { favorites, inUse, upstreams, connection, refusals } = facts;
  const answeredBy = connection === 'sandbox' ? l10n.t('the sandbox') : l10n.t('the service');
  return {
    id: `${group}:${label}`,
    label,
    description: String(models.length),
    kind: 'modelGroup',
    children: models.map((model) => {
      const other = upstreamFor(model.id, upstreams);
      const isFavorite = favorites.includes(model.id);
      const isInUse = model.id === inUse;
      const forTools = other === undefined ? {} : { forTools: l10n.t('the upstream “{0}”', other.id) };
      const own = refusals.filter(({ upstream, model: name }) => upstream === undefined && name === model.id);
      const refuses = own.flatMap(({ changes }) => changes);
      return modelRow(model, { isFavorite, isInUse, answeredBy, refuses, ...forTools }, group);
    }),
  };
}

/** An upstream with only patterns names no models. */
function upstreamRow(upstream: ConfiguredUpstream): Row[] {
  const names = namedModels(upstream);
  if (names.length === 0) return [];
  const row: Row = {
    id: `upstream:${upstream.id}`,
    label: l10n.t('Upstream “{0}”', upstream.id),
    description: l10n.t('for tools that use the gateway'),
    tooltip: upstream.baseUrl,
    kind: 'upstreamModels',
    isClosed: true,
    children: names.map((name) => ({
      id: `upstream:${upstream.id}:${name}`,
      label: name,
      description: upstream.formats.join(', '),
      icon: new vscode.ThemeIcon('server'),
      kind: 'upstreamModel',
      subject: name,
    })),
  };
  return [row];
}

/** Each one can be forgotten. */
function refusalsRow(refusals: readonly ShownRefusal[]): Row {
  return {
    id: 'refusals',
    label: l10n.t('Refused and sent in another form'),
    description: String(refusals.length),
    kind: 'refusals',
    isClosed: true,
    children: refusals.map(({ id, model, upstream, changes }) => {
      const changed = changes.length === 0 ? l10n.t('nothing has helped') : changes.join(', ');
      const description = [...(upstream === undefined ? [] : [upstream]), changed].join(' · ');
      return {
        id: `refusal:${id}`,
        label: model,
        description,
        tooltip: description,
        icon: new vscode.ThemeIcon('wand'),
        kind: 'knownRefusal',
        subject: id,
      };
    }),
  };
}
