import { activityInfo } from '@temporalio/activity';
import type { Sql } from '../../db/client.js';
import { isReturned } from '../../db/orchestrator/order-references.js';
import { findReportedOrder } from '../../db/orchestrator/orders.js';
import {
  closeFailedShipment,
  findShipment,
  type NewShipment,
  recordLabelFound,
  openShipment,
  reportFailedShipment,
} from '../../db/orchestrator/shipments.js';
import { looksLeft } from '../../domain/settling.js';
import type { CreatedShipment, ShippingClient } from '../../integrations/shipping/client.js';
import { calling } from '../calls.js';
import { askForLabel, type LabelRequest } from './shipments.js';

export interface LabelDependencies {
  sql: Sql;
  shipping: ShippingClient;
  /** When to look for the label, in seconds after the lost response. */
  settleSeconds: readonly number[];
}

export interface FailedShipment {
  submissionId: string;
  /** The order's reference. */
  reference: string;
  reason: 'refused' | 'unanswered';
}

export const createLabelActivities = ({ sql, shipping, settleSeconds }: LabelDependencies) => ({
  /** Plans when to request a label, in epoch milliseconds. Safe to retry: it only reads the settings. */
  async planLabelLooks({ lostAtMs }: { lostAtMs: number }): Promise<{ looksAtMs: number[] }> {
    return { looksAtMs: looksLeft(lostAtMs, settleSeconds, Date.now()) };
  },

  /**
   * Returns whether a lost label is still needed: none is on record, and the order is open. A shipped order may still
   * need its label on record. Safe to retry: it only reads.
   */
  async needsLabel({ submissionId }: { submissionId: string }): Promise<boolean> {
    const { state, shipmentId } = (await findShipment(sql, submissionId)) ?? { shipmentId: null };
    const isOpen = state === undefined || state === 'awaiting_pharmacy' || state === 'shipped';
    return shipmentId === null && isOpen && !(await isReturned(sql, submissionId));
  },

  /** Creates a label only. Safe to retry: the shipping service identifies it by its key. */
  async createLabel(request: LabelRequest): Promise<CreatedShipment> {
    return calling(() => askForLabel(shipping, request));
  },

  /** Records a label and its reconciled run, if it has one. Safe to retry: an order has one shipment, a run one result. */
  async recordSettledLabel(settled: { runId: string | null; shipment: NewShipment }): Promise<void> {
    const { runId, shipment } = settled;
    await sql.begin(async (sql) => {
      await openShipment(sql, shipment);
      if (runId !== null) await recordLabelFound(sql, runId);
      await closeFailedShipment(sql, shipment.submissionId);
    });
  },

  /**
   * Opens a work item for a shipment that was given up, unless its order was returned. Safe to retry: an order has one
   * such work item.
   */
  async recordFailedShipment(given: FailedShipment): Promise<void> {
    const { reference, ...shipment } = given;
    if (await isReturned(sql, shipment.submissionId)) return;
    const workflowId = activityInfo().workflowExecution?.workflowId ?? '';
    const taskId = (await findReportedOrder(sql, reference))?.taskId ?? reference;
    await sql.begin((sql) => reportFailedShipment(sql, { ...shipment, taskId, workflowId }));
  },
});

export type LabelActivities = ReturnType<typeof createLabelActivities>;
