/** The actions on a person's data that access events name: `<noun>.<verb>` (D88). */
export const accessActions = [
  'access.list',
  'admin.create',
  'admin.invite',
  'admin.list',
  'admin.reactivate',
  'admin.suspend',
  'admin.update',
  'audit.list',
  'auth.refuse',
  'callback.list',
  'callback.redeliver',
  'channel.update',
  'erasure.read',
  'event.redrive',
  'history.decode',
  'hold.answer',
  'intake.read',
  'intake.retry',
  'item.answer',
  'item.list',
  'item.note',
  'item.read',
  'item.snooze',
  'key.create',
  'key.reseal',
  'key.revoke',
  'key.rotate',
  'key.set',
  'license.create',
  'license.list',
  'license.revoke',
  'license.update',
  'license.verify',
  'membership.grant',
  'membership.revoke',
  'notification.list',
  'notification.send',
  'orphan.list',
  'orphan.settle',
  'patient.archive',
  'patient.create',
  'patient.erase',
  'patient.lookup',
  'patient.read',
  'patient.update',
  'payment.list',
  'payment.pay',
  'payment.read',
  'payment.retry',
  'physician.create',
  'physician.list',
  'physician.reactivate',
  'physician.read',
  'physician.revoke',
  'physician.route',
  'physician.sign',
  'physician.update',
  'plan.check_in',
  'plan.create',
  'plan.decide',
  'plan.list',
  'plan.pause',
  'plan.read',
  'plan.renew',
  'plan.resume',
  'plan.stop',
  'prescription.approve',
  'prescription.cancel',
  'prescription.deny',
  'prescription.list',
  'prescription.look',
  'prescription.preflight',
  'prescription.read',
  'prescription.refund',
  'prescription.replace',
  'prescription.reroute',
  'prescription.submit',
  'recovery.cancel',
  'recovery.read',
  'recovery.start',
  'refill.cancel',
  'refill.check',
  'refill.create',
  'refill.list',
  'refill.move',
  'refill.pause',
  'refill.read',
  'refill.resume',
  'refill.ship_to',
  'refill.skip',
  'refill.update',
  'retry.list',
  'rule.create',
  'rule.list',
  'rule.revoke',
  'rule.update',
  'run.list',
  'run.read',
  'session.end',
  'session.refresh',
  'session.refuse',
  'session.start',
  'snapshot.create',
  'snapshot.list',
  'snapshot.read',
  'sync.list',
  'sync.read',
  'sync.retry',
  'template.update',
  'timeline.read',
  'webhook.list',
  'webhook.read',
] as const;
export type AccessAction = (typeof accessActions)[number];

const readingVerbs: ReadonlySet<string> = new Set([
  'decode',
  'list',
  'lookup',
  'preflight',
  'read',
  'route',
  'verify',
]);

/** True for an action that shows a person's data and changes none. */
export const isReading = (action: AccessAction): boolean => readingVerbs.has(action.split('.')[1] ?? '');

type AccessOutcome = 'allowed' | 'refused' | 'failed';

/** One access or attempted access to a person's data (D88). It holds no personal data of a patient. */
export interface AccessEvent {
  /** The authenticated admin's or key's id, or the name of our component. */
  actor: string;
  actorKind: 'admin' | 'key' | 'system';
  action: AccessAction;
  /** Our id of the record, never the EMR's. Null for no single record. */
  record: string | null;
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  outcome: AccessOutcome;
  /** The person for whom a key acts, as the key says (D162). */
  onBehalfOf?: string | undefined;
}
