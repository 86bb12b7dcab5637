// Versions that belong together, under one heading.

/** At least one, the newest first. */
export type Group<V> = [V, ...V[]];

/** Neighbours of a list whose newest is first. */
export function grouped<V>(versions: readonly V[], together: (newer: V, older: V) => boolean): Group<V>[] {
  const groups: Group<V>[] = [];
  for (const version of versions) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group !== undefined && before !== undefined && together(before, version)) group.push(version);
    else groups.push([version]);
  }
  return groups;
}
