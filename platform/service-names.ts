/** The nine services and the codec server, each with its port offset from `PORT_BASE` (D1). */
export const servicePortOffsets = {
  router: 1,
  orchestrator: 2,
  registry: 3,
  intake: 4,
  notification: 5,
  organization: 6,
  patients: 7,
  bridge: 8,
  codec: 9,
  worklist: 10,
} as const;

export type ServiceName = keyof typeof servicePortOffsets;
/** Services with tables of their own; the codec server only adds access events. */
export type StoringService = Exclude<ServiceName, 'codec'>;
/** A process hosts services, and the retention: a task queue with its own database role and no API (D94). */
export type Hosted = ServiceName | 'retention';
export type DatabaseRole = Exclude<Hosted, 'codec'>;
export const serviceNames = Object.keys(servicePortOffsets) as ServiceName[];
export const storingServices = serviceNames.filter((name) => name !== 'codec');
export const hostedNames: readonly Hosted[] = [...serviceNames, 'retention'];
