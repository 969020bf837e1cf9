import type { Entry } from './entry.ts';

interface Node {
  entry: Entry | undefined;
  readonly parent: Node | undefined;
  readonly at: number;
  readonly comparison?: string;
  readonly children: Node[];
  /** The number of children that are visible or have a visible descendant. */
  visibleBranches: number;
  /** The child whose branch is shown; the last one if undefined. */
  chosen: Node | undefined;
  isRemoved: boolean;
}

export interface BranchPoint {
  /** Undefined for the beginning. */
  readonly parent: string | undefined;
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly comparison?: string;
}

/**
 * Questions and answers, each a child of the one that it follows. A removed entry stays as a link between those before
 * and after it: what follows it is not lost, and it can be restored.
 */
export class Tree {
  readonly #root: Node = newNode(undefined, undefined);
  readonly #nodes = new Map<string, Node>();
  /** The nodes from the first one on that lead to the last entry shown. Undefined after it has changed elsewhere. */
  #shown: Node[] | undefined = [];

  /** All entries in the order of their records, including removed ones. */
  get entries(): readonly Entry[] {
    return [...this.#nodes.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  }

  /** The entries shown, from the first on. */
  get path(): readonly Entry[] {
    return this.#shownNodes.flatMap(({ entry, isRemoved }) => (entry === undefined || isRemoved ? [] : [entry]));
  }

  /** The ID of the path's last entry. */
  get tail(): string | undefined {
    return this.#shownNodes.at(-1)?.entry?.id;
  }

  entry(id: string): Entry | undefined {
    return this.#nodes.get(id)?.entry;
  }

  isVisible(id: string): boolean {
    return this.#nodes.get(id)?.isRemoved === false;
  }

  timeOf(id: string): number {
    return this.#nodes.get(id)?.at ?? 0;
  }

  comparisonOf(id: string): string | undefined {
    return this.#nodes.get(id)?.comparison;
  }

  parentOf(id: string): string | undefined {
    return this.#nodes.get(id)?.parent?.entry?.id;
  }

  /** The ID of each entry's nearest previous entry that was not removed; undefined at the beginning. */
  get visibleParents(): ReadonlyMap<string, string | undefined> {
    const parents = new Map<string, string | undefined>();
    // Each parent was added before its children.
    for (const [id, { parent }] of this.#nodes) {
      const parentId = parent?.entry?.id;
      parents.set(id, parent?.isRemoved === true && parentId !== undefined ? parents.get(parentId) : parentId);
    }
    return parents;
  }

  /**
   * The branches that begin at the same place. Children of removed entries count as children of their nearest visible
   * ancestor.
   */
  siblingsOf(id: string): readonly string[] {
    const node = this.#nodes.get(id);
    if (node === undefined) return [];
    return visibleChildren(visibleParent(node)).flatMap(({ entry }) => (entry === undefined ? [] : [entry.id]));
  }

  /** Adds an entry and shows its branch. Returns false if an entry with this ID exists. */
  add(entry: Entry, { parent: parentId, at, comparison }: BranchPoint): boolean {
    if (this.#nodes.has(entry.id)) return false;
    // The parent's line may have been cut off. A wrong place is better than losing the entry.
    const parent = parentId === undefined ? this.#root : (this.#nodes.get(parentId) ?? this.#tailNode);
    const node: Node = { ...newNode(entry, parent), at, ...(comparison !== undefined && { comparison }) };
    parent.children.push(node);
    parent.chosen = node;
    this.#nodes.set(entry.id, node);
    const isAtEnd = this.#shown !== undefined && parent === (this.#shown.at(-1) ?? this.#root);
    setRemoved(node, false);
    this.#shown = isAtEnd ? this.#shown : undefined;
    if (isAtEnd) this.#shown?.push(node);
    return true;
  }

  change(id: string, change: (entry: Entry) => Entry): void {
    const node = this.#nodes.get(id);
    if (node?.entry !== undefined) node.entry = change(node.entry);
  }

  setRemoved(id: string, isRemoved: boolean): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    setRemoved(node, isRemoved);
    this.#shown = undefined;
  }

  /** Shows the branch through this entry. */
  choose(id: string): void {
    let node = this.#nodes.get(id);
    while (node?.parent !== undefined) {
      node.parent.chosen = node;
      node = node.parent;
    }
    this.#shown = undefined;
  }

  get #shownNodes(): readonly Node[] {
    this.#shown ??= shownFrom(this.#root);
    return this.#shown;
  }

  get #tailNode(): Node {
    return this.#shownNodes.at(-1) ?? this.#root;
  }
}

function newNode(entry: Entry | undefined, parent: Node | undefined): Node {
  return { entry, parent, at: 0, children: [], visibleBranches: 0, chosen: undefined, isRemoved: true };
}

function shownFrom(root: Node): Node[] {
  const shown: Node[] = [];
  for (let node = shownChild(root); node !== undefined; node = shownChild(node)) shown.push(node);
  return shown;
}

function shownChild({ chosen, children, visibleBranches }: Node): Node | undefined {
  if (visibleBranches === 0) return undefined;
  return chosen !== undefined && hasVisible(chosen) ? chosen : children.findLast(hasVisible);
}

/** Whether the node or any of its descendants is visible. */
function hasVisible({ isRemoved, visibleBranches }: Node): boolean {
  return !isRemoved || visibleBranches > 0;
}

/** Removes or restores a node, and counts it in its ancestors. */
function setRemoved(node: Node, isRemoved: boolean): void {
  let had = hasVisible(node);
  node.isRemoved = isRemoved;
  for (let at = node; at.parent !== undefined && hasVisible(at) !== had; at = at.parent) {
    const hadParent = hasVisible(at.parent);
    at.parent.visibleBranches += had ? -1 : 1;
    had = hadParent;
  }
}

function visibleParent({ parent }: Node): Node | undefined {
  let node = parent;
  while (node?.isRemoved === true && node.parent !== undefined) node = node.parent;
  return node;
}

/** The children in order, with those of a removed child in its place. Not recursive: there may be thousands of levels. */
function visibleChildren(node: Node | undefined): Node[] {
  const visible: Node[] = [];
  const waiting = [...(node?.children ?? [])].reverse();
  for (let child = waiting.pop(); child !== undefined; child = waiting.pop()) {
    if (!child.isRemoved) visible.push(child);
    else if (child.visibleBranches > 0) for (const next of child.children.toReversed()) waiting.push(next);
  }
  return visible;
}
