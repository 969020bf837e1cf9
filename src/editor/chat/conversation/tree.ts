import type { Entry } from './entry.ts';

interface Node {
  entry: Entry | undefined;
  readonly parent: Node | undefined;
  readonly at: number;
  readonly comparison?: string;
  readonly children: Node[];
  /** The child whose branch is shown; the last one if undefined. */
  chosen: Node | undefined;
  isRemoved: boolean;
}

export interface Place {
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
  readonly #root: Node = rootNode();
  readonly #nodes = new Map<string, Node>();

  /** All entries in the order of their records, including removed ones. */
  get entries(): readonly Entry[] {
    return [...this.#nodes.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  }

  /** The entries shown, from the first on. */
  get path(): readonly Entry[] {
    const path: Entry[] = [];
    for (let node = shownChild(this.#root); node !== undefined; node = shownChild(node)) {
      if (node.entry !== undefined && !node.isRemoved) path.push(node.entry);
    }
    return path;
  }

  /** The ID of the path's last entry. */
  get tail(): string | undefined {
    return this.path.at(-1)?.id;
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
  add(entry: Entry, { parent: parentId, at, comparison }: Place): boolean {
    if (this.#nodes.has(entry.id)) return false;
    // The parent's line may have been cut off. A wrong place is better than losing the entry.
    const parent = parentId === undefined ? this.#root : (this.#nodes.get(parentId) ?? this.#tailNode);
    const node: Node = {
      entry,
      parent,
      at,
      children: [],
      chosen: undefined,
      isRemoved: false,
      ...(comparison !== undefined && { comparison }),
    };
    parent.children.push(node);
    parent.chosen = node;
    this.#nodes.set(entry.id, node);
    return true;
  }

  change(id: string, change: (entry: Entry) => Entry): void {
    const node = this.#nodes.get(id);
    if (node?.entry !== undefined) node.entry = change(node.entry);
  }

  setRemoved(id: string, isRemoved: boolean): void {
    const node = this.#nodes.get(id);
    if (node !== undefined) node.isRemoved = isRemoved;
  }

  /** Shows the branch through this entry. */
  choose(id: string): void {
    let node = this.#nodes.get(id);
    while (node?.parent !== undefined) {
      node.parent.chosen = node;
      node = node.parent;
    }
  }

  get #tailNode(): Node {
    return this.#nodes.get(this.tail ?? '') ?? this.#root;
  }
}

function rootNode(): Node {
  return { entry: undefined, parent: undefined, at: 0, children: [], chosen: undefined, isRemoved: true };
}

function shownChild({ chosen, children }: Node): Node | undefined {
  return chosen !== undefined && hasVisible(chosen) ? chosen : children.findLast(hasVisible);
}

/** Whether the node or any of its descendants is visible. */
function hasVisible(node: Node): boolean {
  return !node.isRemoved || node.children.some(hasVisible);
}

function visibleParent({ parent }: Node): Node | undefined {
  let node = parent;
  while (node?.isRemoved === true && node.parent !== undefined) node = node.parent;
  return node;
}

function visibleChildren(node: Node | undefined): Node[] {
  return (node?.children ?? []).flatMap((child) => (child.isRemoved ? visibleChildren(child) : [child]));
}
