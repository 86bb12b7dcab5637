// Short messages that go away by themselves.

export interface Toast {
  id: number;
  tone: 'ok' | 'bad' | 'plain';
  text: string;
}

const SHOWN_MS = 6000;
const TOASTS_MAX = 4;

let next = 1;
let list = $state<Toast[]>([]);

export const toasts = {
  get list(): readonly Toast[] {
    return list;
  },
};

export function toast(text: string, tone: Toast['tone'] = 'plain'): void {
  const id = next++;
  list = [...list, { id, tone, text }].slice(-TOASTS_MAX);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  list = list.filter((shown) => shown.id !== id);
}
