import type { TrafficChoice } from '../../../editor/traffic/protocol.ts';
import { targetOf } from '../../shared/keys.ts';
import { useStore } from '../store.ts';
import type { TreeNode } from './treeNodes.ts';

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
export function useTreeKeys({ nodes, active, page, show }: TreeKeysProps) {
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
