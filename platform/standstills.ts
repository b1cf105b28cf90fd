const checkEveryMs = 100;
/** A check that is later than this counts as a standstill. */
const lateMs = 1_000;

let stoodMs = 0;

/** Measures standstills of this process. @returns a function that ends it */
export function watchStandstills(): () => void {
  let checkedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const lateByMs = nowMs - checkedMs - checkEveryMs;
    if (lateByMs > lateMs) stoodMs += lateByMs;
    checkedMs = nowMs;
  }, checkEveryMs).unref();
  return () => clearInterval(timer);
}

/** Milliseconds that this process was stopped, paused with its machine, or without CPU. */
export const stoodStillMs = (): number => stoodMs;
