// Whose words are whose: what a model wrote of a text, and what code wrote behind it.

export interface Words {
  /** A model's: shown in a frame, never as ours. */
  theirs: string;
  ours: string;
}

/** The server says what a model wrote; a text that does not begin with it is all called the model's. */
export function wordsOf({ message, text }: { message: string; text: string }): Words {
  if (message === '') return { theirs: '', ours: text };
  if (!text.startsWith(message)) return { theirs: text, ours: '' };
  return { theirs: message, ours: text.slice(message.length).trim() };
}
