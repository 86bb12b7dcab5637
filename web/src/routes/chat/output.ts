// What a step put out, by what it says it is.

export type Content = { kind: 'json'; value: unknown } | { kind: 'text'; text: string };

export async function read(blob: Blob, mediaType: string): Promise<Content> {
  const text = await blob.text();
  if (!mediaType.includes('json')) return { kind: 'text', text };
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'text', text };
  }
}

export interface FileReport {
  path: string;
  sizeBytes: number | null;
}

/** The server's own report on a file that it wrote or took away. */
export function fileReport(content: Content): FileReport | null {
  if (content.kind !== 'json' || typeof content.value !== 'object' || content.value === null) {
    return null;
  }
  const { path, sizeBytes } = content.value as Record<string, unknown>;
  if (typeof path !== 'string') return null;
  return { path, sizeBytes: typeof sizeBytes === 'number' ? sizeBytes : null };
}
