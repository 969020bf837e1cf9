import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TrafficChoice } from '../../../pages/traffic/protocol.ts';
import { useScroll } from '../../shared/hooks.ts';
import { targetOf } from '../../shared/keys.ts';
import { rowsBefore } from '../rows.ts';
import { useStore } from '../store.ts';
import { rowWindow, scrollToRow } from '../virtualRows.ts';
import type { TreeNode } from './treeNodes.ts';
import { nodeElementId, TreeRow } from './treeRow.tsx';

/** The row height, as in the styles. */
const ROW_HEIGHT = 28;

/** Requests as a tree of sessions, agents, and turns. It is one tab stop, and only rows near the view are rendered. */
export function TreeGrid() {
  const store = useStore();
  const { tree } = store;
  const body = useRef<HTMLDivElement>(null);
  const { top, height, barWidth } = useScroll(body);
  const nodes = tree.nodes.value;
  const activeId = tree.activeId.value;
  const openId = store.open.value?.id;
  const names = { viewContext: store.viewContext.value, titles: tree.sessions.value?.titles ?? {} };
  const { first, end } = rowWindow(nodes.length, ROW_HEIGHT, top, height);
  const active = useMemo(() => nodes.findIndex(({ id }) => id === activeId), [nodes, activeId]);
  useKeptPlace(body, nodes);

  const show = (index: number) => {
    const node = nodes[index];
    const element = body.current;
    if (node === undefined || element === null) return;
    tree.activeId.value = node.id;
    scrollToRow(element, index, ROW_HEIGHT);
  };
  const { press, activate } = useTreeKeys({ nodes, active, page: Math.floor(height / ROW_HEIGHT), show });
  const { click, doubleClick } = useTreeClicks(nodes, activate);
  return (
    <div
      class="grid tree"
      role="treegrid"
      id="exchanges"
      tabIndex={0}
      aria-label={l10n.t('Requests by session')}
      aria-rowcount={nodes.length + 1}
      aria-activedescendant={
        active >= first && active < end && activeId !== undefined ? nodeElementId(activeId) : undefined
      }
      onKeyDown={press}
      onFocus={() => active === -1 && show(0)}
      onClick={click}
      onDblClick={doubleClick}
    >
      <TreeHead barWidth={barWidth} />
      <div class="grid-body" role="rowgroup" ref={body}>
        <div class="grid-room" role="presentation" style={{ height: `${nodes.length * ROW_HEIGHT}px` }}>
          {nodes.slice(first, end).map((node, nth) => (
            <TreeRow
              key={node.id}
              node={node}
              index={first + nth}
              top={(first + nth) * ROW_HEIGHT}
              names={names}
              isActive={node.id === activeId}
              isSelected={node.kind === 'request' && node.row.id === openId}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** A click opens a request, and expands or collapses other nodes. A double click opens a session. */
function useTreeClicks(nodes: readonly TreeNode[], activate: (node: TreeNode) => void) {
  const { tree } = useStore();
  const nodeAt = ({ target }: MouseEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
    return nodes[Number(row?.dataset.index ?? -1)];
  };
  const click = (event: MouseEvent) => {
    const node = nodeAt(event);
    if (node === undefined) return;
    tree.activeId.value = node.id;
    if (node.isOpen === undefined) activate(node);
    else tree.setOpen(node, !node.isOpen);
  };
  const doubleClick = (event: MouseEvent) => {
    const node = nodeAt(event);
    if (node?.kind === 'session') activate(node);
  };
  return { click, doubleClick };
}

/** If the user has scrolled away from the beginning, the same rows stay visible when others are added before them. */
function useKeptPlace(body: RefObject<HTMLElement | null>, nodes: readonly TreeNode[]): void {
  const before = useRef(nodes);
  useLayoutEffect(() => {
    const element = body.current;
    const known = before.current;
    before.current = nodes;
    if (element === null || known === nodes || element.scrollTop === 0) return;
    const at = Math.floor(element.scrollTop / ROW_HEIGHT);
    element.scrollTop += (rowsBefore(at, known, nodes) ?? 0) * ROW_HEIGHT;
  }, [nodes]);
}

/** @param barWidth width of the scrollbar beside the rows, which the columns leave free. */
function TreeHead({ barWidth }: { readonly barWidth: number }) {
  const columns: readonly [name: string, text: string, title?: string][] = [
    ['name', l10n.t('Session')],
    ['mix', l10n.t('Input')],
    ['figure uncached', l10n.t('Uncached'), l10n.t('Input tokens not found in a cache')],
    ['figure read', l10n.t('Read'), l10n.t('Input tokens read from a cache')],
    ['figure written', l10n.t('Written'), l10n.t('Input tokens written to a cache')],
    ['figure cached', l10n.t('Cached'), l10n.t('Input tokens read from a cache or written to it')],
    ['figure output', l10n.t('Output')],
    ['figure cost', l10n.t('Cost')],
    ['figure hits', l10n.t('Hit rate')],
    ['figure avoidable', l10n.t('Avoidable'), l10n.t('Cost of avoidable cache misses')],
  ];
  return (
    <div role="rowgroup" class="grid-head" style={{ paddingInlineEnd: `${barWidth}px` }}>
      <div role="row" class="line" aria-rowindex={1}>
        {columns.map(([name, text, title]) => (
          <span key={name} role="columnheader" class={`cell ${name}`} title={title}>
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

interface TreeKeysProps {
  readonly nodes: readonly TreeNode[];
  /** The index of the active row; -1 if there is none. */
  readonly active: number;
  /** Number of visible rows. */
  readonly page: number;
  /** Moves to a row. */
  readonly show: (index: number) => void;
}

/** Keyboard navigation of a tree, as in the editor's own trees. */
function useTreeKeys({ nodes, active, page, show }: TreeKeysProps) {
  const store = useStore();
  const { tree } = store;

  const activate = (node: TreeNode) => {
    if (node.kind === 'request') store.openExchange(node.row);
    else if (node.kind === 'session' && node.session.sessionId !== '') {
      store.post({ type: 'openSession', sessionId: node.session.sessionId });
    } else if (node.kind !== 'earlier') tree.setOpen(node, node.isOpen !== true);
    else if (node.of === 'turns') tree.showTurns(node.key);
    else store.choose(listOf(store.choice, node.key));
  };
  const right = (node: TreeNode) => {
    if (node.isOpen === false) tree.setOpen(node, true);
    else if (nodes[active + 1]?.parent === node.id) show(active + 1);
  };
  const left = (node: TreeNode) => {
    if (node.isOpen === true) tree.setOpen(node, false);
    else if (node.parent !== undefined) show(nodes.findIndex(({ id }) => id === node.parent));
  };
  const filter = (node: TreeNode) => {
    const session = sessionOf(node, nodes);
    if (session !== undefined) store.choose({ ...store.choice, sessionId: session });
  };

  const press = (event: KeyboardEvent) => {
    const node = nodes[active];
    const target = targetOf(event.key, active, nodes.length, page);
    if (target !== undefined) show(target);
    else if (node === undefined) return;
    else if (event.key === 'Enter') (event.shiftKey ? filter : activate)(node);
    else if (event.key === 'ArrowRight') right(node);
    else if (event.key === 'ArrowLeft') left(node);
    else return;
    event.preventDefault();
  };
  return { press, activate };
}

function listOf({ view: _, ...choice }: TrafficChoice, sessionId: string): TrafficChoice {
  return { ...choice, sessionId };
}

/** Returns the session that a row belongs to; undefined for requests without one. */
function sessionOf(node: TreeNode, nodes: readonly TreeNode[]): string | undefined {
  if (node.kind === 'session') return node.session.sessionId || undefined;
  if (node.kind === 'request') return node.row.sessionId;
  const parent = nodes.find(({ id }) => id === node.parent);
  return parent && sessionOf(parent, nodes);
}
