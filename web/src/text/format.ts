// Sizes and short digests.

const KIB = 1024;

export function bytes(count: number): string {
  if (count < KIB) return `${count} B`;
  const kib = count / KIB;
  return kib < KIB ? `${kib.toFixed(1)} KiB` : `${(kib / KIB).toFixed(1)} MiB`;
}

export function short(digest: string, digits = 8): string {
  return digest.slice(0, digits);
}
