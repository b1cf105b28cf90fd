/** The workers of this process, for its readiness. */
export class HostedWorkers {
  private readonly queues = new Map<string, { service: string; polls: () => boolean }>();
  private rejected = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set());

  /** @param polls whether the worker polls now */
  add(queue: string, service: string, polls: () => boolean): void {
    this.queues.set(queue, { service, polls });
  }

  /** A worker that Temporal rejects counts as not polling. @param rejected their queues */
  watchRejected(rejected: () => Promise<ReadonlySet<string>>): void {
    this.rejected = rejected;
  }

  /** By queue, of all services or of one: whether its worker polls. */
  async states(of?: string): Promise<Map<string, boolean>> {
    if (this.queues.size === 0) return new Map();
    const rejected = await this.rejected();
    const asked = [...this.queues].filter(([, { service }]) => of === undefined || service === of);
    return new Map(asked.map(([queue, { polls }]) => [queue, polls() && !rejected.has(queue)]));
  }

  /** True if all workers of a service in this process poll; true if it has none. */
  async poll(service: string): Promise<boolean> {
    return [...(await this.states(service)).values()].every(Boolean);
  }
}
