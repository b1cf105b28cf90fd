/** When we ask an external service about a request whose answer was lost: seconds since the loss (D114). */
export const settleSeconds = [15, 60, 300, 900, 3_600] as const;

/** The remaining times to ask, in epoch milliseconds. All that have passed become one, which is due now. */
export function looksLeft(lostAtMs: number, seconds: readonly number[], nowMs: number): number[] {
  const looks = seconds.map((second) => lostAtMs + second * 1_000);
  const coming = looks.filter((at) => at > nowMs);
  return coming.length === looks.length ? coming : [nowMs, ...coming];
}
