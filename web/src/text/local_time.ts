// What a field of date and time holds: local time to the minute, without its zone.

const MINUTE_MS = 60_000;

/** A moment as such a field holds it. */
export function localMinute(at: number): string {
  const behind = new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(at - behind).toISOString().slice(0, 16);
}

/** What such a field holds, as the API takes it. What is no time stays as it is: the server names it. */
export function instant(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}

/** What the zone is called that such a field is read in: `Asia/Seoul`. */
export function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
