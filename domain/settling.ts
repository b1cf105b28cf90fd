/** When it is asked what became of something whose answers were lost: seconds since then (D114). */
export const settleSeconds = [15, 60, 300, 900, 3_600] as const;

/**
 * The times of asking that are left, in epoch milliseconds. Those that have passed come to one, which is due.
 * @param lostAtMs when the answers were lost
 */
export function looksLeft(lostAtMs: number, seconds: readonly number[], nowMs: number): number[] {
  const looks = seconds.map((second) => lostAtMs + second * 1_000);
  const coming = looks.filter((at) => at > nowMs);
  return coming.length === looks.length ? coming : [nowMs, ...coming];
}
