import { z } from 'zod';

const common = {
  target: z.string().min(1),
  operation: z.string().min(1).optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfterSeconds: z.int().min(0).optional(),
  delayMs: z.int().min(0).optional(),
  times: z.int().min(1).optional(),
};

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('status'), status: common.status.unwrap() }),
  z.strictObject({ ...common, kind: z.literal('delay'), delayMs: common.delayMs.unwrap() }),
  z.strictObject({ ...common, kind: z.enum(['drop', 'lost-answer', 'hang']) }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];

/** Reads a fault as the control API takes it. @throws z.ZodError */
export const parseFault = (input: unknown): Fault => faultSchema.parse(input);

/** The faults that the outside is told to show. They live in memory: a restarted sandbox is a healthy one. */
export class Faults {
  private faults: Fault[] = [];

  /** A fault without `times` replaces the one of the same target and operation that had none either. */
  set(fault: Fault): void {
    if (fault.times === undefined) {
      this.faults = this.faults.filter(
        (other) =>
          other.times !== undefined || other.target !== fault.target || other.operation !== fault.operation,
      );
    }
    this.faults.push(fault);
  }

  /** The fault for this call, used up by one. Counted faults come before lasting ones, each in order of setting. */
  take(target: string, operation: string): Fault | undefined {
    const matching = this.faults.filter(
      (fault) => fault.target === target && (fault.operation ?? operation) === operation,
    );
    const fault = matching.find(({ times }) => times !== undefined) ?? matching[0];
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times === 0) this.faults = this.faults.filter((other) => other !== fault);
    }
    return fault;
  }

  list(): readonly Fault[] {
    return this.faults;
  }

  clear(): void {
    this.faults = [];
  }
}
