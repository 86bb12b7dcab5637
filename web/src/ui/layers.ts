// Places the nodes of a directed graph in layers, from left to right or from top to bottom.

export interface GraphNode {
  id: string;
  /** One or two lines. */
  title: string;
  note?: string;
  tone?: 'plain' | 'ok' | 'warn' | 'bad' | 'accent';
}

export interface GraphEdge {
  from: string;
  to: string;
  /** Data flows along it. */
  isData?: boolean;
}

export interface Placed {
  node: GraphNode;
  x: number;
  y: number;
}

export interface Measures {
  width: number;
  height: number;
  gapAlong: number;
  gapAcross: number;
}

export const WIDE: Measures = { width: 168, height: 54, gapAlong: 44, gapAcross: 16 };
export const COMPACT: Measures = { width: 98, height: 44, gapAlong: 28, gapAcross: 8 };
const MARGIN = 6;
/** A downward arrow needs less room than one to the side. */
const DOWN_GAP = 0.65;

/** The longest way to each node; a node in a circle stays where it was met first. */
function layers(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Map<string, number> {
  const layer = new Map(nodes.map((node) => [node.id, 0]));
  for (let round = 0; round < nodes.length; round++) {
    let moved = false;
    for (const edge of edges) {
      const [from, to] = [layer.get(edge.from), layer.get(edge.to)];
      if (from === undefined || to === undefined || to > from || from + 1 >= nodes.length) continue;
      layer.set(edge.to, from + 1);
      moved = true;
    }
    if (!moved) break;
  }
  return layer;
}

export interface Layout {
  width: number;
  height: number;
  placed: Placed[];
  lines: { path: string; isData: boolean }[];
}

export function layout(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  down: boolean,
  size: Measures,
): Layout {
  const layer = layers(nodes, edges);
  const at = (node: GraphNode): number => layer.get(node.id) ?? 0;
  const counts: number[] = [];
  for (const node of nodes) counts[at(node)] = (counts[at(node)] ?? 0) + 1;
  const most = Math.max(...counts, 0);
  const [along, across] = down
    ? [size.height + size.gapAlong * DOWN_GAP, size.width + size.gapAcross]
    : [size.width + size.gapAlong, size.height + size.gapAcross];
  const taken: number[] = [];
  const placed = nodes.map((node) => {
    const beside = taken[at(node)] ?? 0;
    taken[at(node)] = beside + 1;
    const centred = beside + (most - (counts[at(node)] ?? 0)) / 2;
    const [a, b] = [MARGIN + at(node) * along, MARGIN + centred * across];
    return { node, x: down ? b : a, y: down ? a : b };
  });
  const width = Math.max(...placed.map(({ x }) => x + size.width), 0) + MARGIN;
  const height = Math.max(...placed.map(({ y }) => y + size.height), 0) + MARGIN;
  return { width, height, placed, lines: lines(placed, edges, down, size) };
}

function lines(
  placed: readonly Placed[],
  edges: readonly GraphEdge[],
  down: boolean,
  size: Measures,
): Layout['lines'] {
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  return edges.flatMap((edge) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (!from || !to) return [];
    return [{ path: down ? fall(from, to, size) : run(from, to, size), isData: edge.isData ?? false }];
  });
}

function run(from: Placed, to: Placed, size: Measures): string {
  const [x1, y1] = [from.x + size.width, from.y + size.height / 2];
  const [x2, y2] = [to.x - 5, to.y + size.height / 2];
  const bend = Math.max(16, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function fall(from: Placed, to: Placed, size: Measures): string {
  const [x1, y1] = [from.x + size.width / 2, from.y + size.height];
  const [x2, y2] = [to.x + size.width / 2, to.y - 5];
  const bend = Math.max(8, (y2 - y1) / 2);
  return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}

const WIDE_LETTER = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/;

/** Cut to `units` half-width places. */
export function fitted(text: string, units: number): string {
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += WIDE_LETTER.test(character) ? 1.75 : 1;
    if (used > units) return `${kept.trimEnd()}…`;
    kept += character;
  }
  return kept;
}
