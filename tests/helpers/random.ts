/** Random numbers from a seed: the same seed gives the same plan on any machine. */
export interface Random {
  /** From 0 to below 1. */
  next: () => number;
  between: (from: number, to: number) => number;
  oneOf: <T>(values: readonly T[]) => T;
  /** Picks by weight. */
  weighted: <T extends string>(weights: Record<T, number>) => T;
  chance: (share: number) => boolean;
}

/** mulberry32, seeded by two numbers so that each slice has its own sequence. */
export function seeded(seed: number, slice: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(slice + 1, 0x85ebca6b)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    oneOf: (values) => values[Math.floor(next() * values.length)]!,
    weighted: (weights) => {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
      return entries[0]![0];
    },
    chance: (share) => next() < share,
  };
}
