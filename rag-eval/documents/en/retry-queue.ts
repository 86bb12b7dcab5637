/**
 * Sends events to webhooks and tries again with growing pauses.
 *
 * An event is written to the store before the first attempt, so that a restart loses none. Attempts of one webhook
 * run one after another: a slow receiver must not get the same event from two workers.
 */

import { signPayload } from "./signature";
import type { DeliveryStore, Webhook, WebhookEvent } from "./types";

/** Minutes before the second, third, fourth and fifth attempt; then every six hours. */
const FIRST_PAUSES_MINUTES = [1, 5, 30, 120];
const LATER_PAUSE_MINUTES = 6 * 60;
/** After so long a webhook is disabled and its administrators are told. */
const GIVE_UP_AFTER_MINUTES = 3 * 24 * 60;
/** A receiver that takes longer than this counts as failed. */
const RESPONSE_TIMEOUT_MS = 10_000;

export class DeliveryGaveUp extends Error {
  constructor(readonly webhook: Webhook, readonly attempts: number) {
    super(`webhook ${webhook.id} was disabled after ${attempts} attempts`);
  }
}

/** The pause before attempt number `attempt`, counted from 1, or undefined when it is time to give up. */
export function pauseBefore(attempt: number, minutesSinceFirst: number): number | undefined {
  if (minutesSinceFirst >= GIVE_UP_AFTER_MINUTES) return undefined;
  return FIRST_PAUSES_MINUTES[attempt - 2] ?? LATER_PAUSE_MINUTES;
}

export async function deliver(store: DeliveryStore, webhook: Webhook, event: WebhookEvent): Promise<void> {
  const body = JSON.stringify(event);
  const response = await fetch(webhook.url, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    headers: {
      "content-type": "application/json",
      "x-mulgil-signature": signPayload(webhook.signingSecret, body, Date.now()),
    },
    body,
  });
  // A redirect could lead into a private network: it is an error, and never followed.
  if (!response.ok) throw new Error(`status ${response.status}`);
  await store.markDelivered(event.eventId, webhook.id);
}

/** Spreads retries by up to a tenth of the pause, so that a thousand webhooks do not wake up together. */
export function withJitter(minutes: number, random: () => number): number {
  return minutes * (1 + random() / 10);
}
