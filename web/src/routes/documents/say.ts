// Words for scopes, scores and places in a document.

import { language, t, tCode } from '../../state/language.svelte';
import { projects } from '../../state/project.svelte';
import { oneLine } from '../../text/visible';
import type { Reembedding } from './calls';
import { idOf, placeOf, type Place } from './places';

export const TITLE_CHARS_MAX = 200;
const NAME_CHARS_MAX = 80;
const HEADING_CHARS_MAX = 120;

/** Who reads it. */
export function readersOf(scope: string): string {
  const place = placeOf(scope);
  const name = place === 'project' ? oneLine(projects.name(idOf(scope)), NAME_CHARS_MAX) : '';
  return tCode('doc_scope', place, { name });
}

/** Of a person or a file. */
export const named = (text: string): string => oneLine(text, NAME_CHARS_MAX);

export const titled = (text: string): string => oneLine(text, TITLE_CHARS_MAX);

/** How many members of the project that are, or who else reads what is put there. */
export function whoReads(place: Place, project: string, people: number): string {
  const values = { name: named(projects.name(project)), count: count(people) };
  return tCode('doc_readers', place === 'project' && people === 1 ? 'project_one' : place, values);
}

/** What becomes of texts without a vector. */
export function reembedText({ embedder, missing }: Reembedding): string {
  if (!embedder) return t('documents.by_words');
  return missing > 0 ? t('documents.reembedding', { embedder, missing: count(missing) }) : t('documents.reembed_none', { embedder });
}

export function scoreText(score: number): string {
  return score.toLocaleString(language.current, { maximumSignificantDigits: 4 });
}

export const count = (value: number): string => value.toLocaleString(language.current);

const SLIDES = /\.(pptx|pptm|ppsx|potx)$/i;

/** The page of a file of that name, which a presentation calls a slide. */
export const pageText = (page: number, file: string): string =>
  t(SLIDES.test(file) ? 'documents.slide' : 'documents.page', { page });

interface Where {
  headings: readonly string[];
  page?: number | null;
  file_name?: string | null;
  /** Where it stands beside it: a document often has it for its first heading. */
  title?: string | null;
}

/** Headings above a passage, and its page. */
export function whereOf({ headings, page, file_name, title }: Where): string {
  const below = headings[0] === title ? headings.slice(1) : headings;
  const path = below.map((heading) => oneLine(heading, HEADING_CHARS_MAX)).join(' › ');
  const at = page === null || page === undefined ? '' : pageText(page, file_name ?? '');
  return [path, at].filter(Boolean).join(' · ');
}
