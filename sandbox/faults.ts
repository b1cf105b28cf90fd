import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { z } from 'zod';

const common = {
  target: z.string().min(1),
  operation: z.string().min(1).optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfterSeconds: z.int().min(0).optional(),
  delayMs: z.int().min(0).optional(),
  times: z.int().min(1).optional(),
  /** Limits the fault to calls with this text in path or body. */
  about: z.string().min(1).optional(),
};

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('status'), status: common.status.unwrap() }),
  z.strictObject({ ...common, kind: z.literal('delay'), delayMs: common.delayMs.unwrap() }),
  z.strictObject({ ...common, kind: z.enum(['drop', 'lost-answer', 'hang', 'hold']) }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];

/** Parses a fault of the control API. @throws z.ZodError */
export const parseFault = (input: unknown): Fault => faultSchema.parse(input);

/** The current faults. They live in memory, so a restart clears them. */
export class Faults {
  private faults: Fault[] = [];
  private readonly holding = new Map<Fault, number>();
  private clearing = new AbortController();

  /** A fault without `times` replaces the one of the same target, operation and `about`. */
  set(fault: Fault): void {
    if (fault.times === undefined) {
      this.faults = this.faults.filter(
        (other) =>
          other.times !== undefined ||
          other.target !== fault.target ||
          other.operation !== fault.operation ||
          other.about !== fault.about,
      );
    }
    this.faults.push(fault);
  }

  /**
   * Takes the fault for this call. Counted faults come first, each in order of setting.
   * @param call its path and body
   */
  take(target: string, operation: string, call = ''): Fault | undefined {
    const matching = this.faults.filter(
      (fault) =>
        fault.target === target &&
        (fault.operation ?? operation) === operation &&
        (fault.about === undefined || call.includes(fault.about)),
    );
    const fault = matching.find(({ times }) => times !== undefined) ?? matching[0];
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times === 0) this.faults = this.faults.filter((other) => other !== fault);
    }
    return fault;
  }

  /** Holds a call until the faults are cleared; it counts as held while its caller waits. */
  async hold(fault: Fault, caller: Readable): Promise<void> {
    const { signal } = this.clearing;
    const count = (change: number) => this.holding.set(fault, (this.holding.get(fault) ?? 0) + change);
    count(1);
    caller.once('close', () => count(-1));
    if (!signal.aborted) await once(signal, 'abort');
  }

  /** Adds the number of held calls to each `hold`. */
  list(): readonly (Fault & { holding?: number })[] {
    return this.faults.map((fault) =>
      fault.kind === 'hold' ? { ...fault, holding: this.holding.get(fault) ?? 0 } : fault,
    );
  }

  clear(): void {
    this.faults = [];
    this.holding.clear();
    this.clearing.abort();
    this.clearing = new AbortController();
  }
}
