export interface EmrWebhook {
  /** `<Resource>.<action>` */
  event: string;
  /** ISO 8601, UTC. */
  timestamp: string;
  resource: Readonly<Record<string, unknown>> & { id: string };
}

/** The canonical envelope of an EMR event (page 3, Canonical envelope). */
export type EmrEnvelope = ReturnType<typeof normalizeWebhook>;

export const resourceOf = (event: string): string => event.slice(0, event.indexOf('.'));

/** `emr.{resource_snake}.{action}`: `MedicationRequest.activated` is `emr.medication_request.activated`. */
export function emrDetailType(event: string): string {
  const resource = resourceOf(event);
  const snake = resource.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
  return `emr.${snake}${event.slice(resource.length)}`;
}

export function normalizeWebhook(
  webhook: EmrWebhook,
  received: { webhookEventId: string; receivedAt: Date },
) {
  const { event, timestamp, resource } = webhook;
  return {
    webhookEventId: received.webhookEventId,
    emrEventName: event,
    resourceType: resourceOf(event),
    resourceId: resource.id,
    emrEventTimestamp: timestamp,
    receivedAt: received.receivedAt.toISOString(),
    resource,
  };
}
