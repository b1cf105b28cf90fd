/** What this process knows of the workers it hosts, so that its readiness can tell. */
export class HostedWorkers {
  private readonly queues = new Map<string, { service: string; polls: () => boolean }>();
  /** Those that Temporal refuses at present, which is counted where there is a health port. */
  private refused = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set());

  /** @param polls whether the worker of the queue takes tasks at this moment; it is asked whenever somebody wants to know */
  add(queue: string, service: string, polls: () => boolean): void {
    this.queues.set(queue, { service, polls });
  }

  /** Counts a worker that is refused as one that does not poll. */
  watchRefused(refused: () => Promise<ReadonlySet<string>>): void {
    this.refused = refused;
  }

  /** Every hosted queue, or those of one service, and whether its worker polls. */
  async states(of?: string): Promise<Map<string, boolean>> {
    if (this.queues.size === 0) return new Map();
    const refused = await this.refused();
    const asked = [...this.queues].filter(([, { service }]) => of === undefined || service === of);
    return new Map(asked.map(([queue, { polls }]) => [queue, polls() && !refused.has(queue)]));
  }

  /** Whether the workers of a service poll, those that are here; true where none is. */
  async poll(service: string): Promise<boolean> {
    return [...(await this.states(service)).values()].every(Boolean);
  }
}
