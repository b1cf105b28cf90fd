import { activityInfo } from '@temporalio/activity';
import type { Sql } from '../../db/client.js';
import { findOrder } from '../../db/orchestrator/orders.js';
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
import { calling } from '../failures.js';
import { askForLabel, type LabelRequest } from './shipments.js';

export interface LabelDependencies {
  sql: Sql;
  shipping: ShippingClient;
  /** When it is asked for, in seconds since the answers were lost. */
  settleSeconds: readonly number[];
}

export interface FailedShipment {
  submissionId: string;
  /** The order's. */
  reference: string;
  reason: 'refused' | 'unanswered';
}

export const createLabelActivities = ({ sql, shipping, settleSeconds }: LabelDependencies) => ({
  /** When a label is to be asked for, in epoch milliseconds. Safe to retry: it only says what is configured. */
  async planLabelLooks({ lostAtMs }: { lostAtMs: number }): Promise<{ looksAtMs: number[] }> {
    return { looksAtMs: looksLeft(lostAtMs, settleSeconds, Date.now()) };
  },

  /**
   * Whether a lost label is still to be asked for: not once it is on record, or the order is at its end. One that has
   * shipped meanwhile may have been given a label all the same. Safe to retry: it only reads.
   */
  async needsLabel({ submissionId }: { submissionId: string }): Promise<boolean> {
    const state = (await findShipment(sql, submissionId))?.state;
    return state === undefined || state === 'awaiting_pharmacy' || state === 'shipped';
  },

  /** A label alone. Safe to retry: the shipping service knows it by its key. */
  async createLabel(request: LabelRequest): Promise<CreatedShipment> {
    return calling(() => askForLabel(shipping, request));
  },

  /**
   * Puts a label on record, and on the run that could not, that it is settled.
   *
   * Safe to retry: an order has one shipment, and a run is settled once.
   */
  async recordSettledLabel({ runId, shipment }: { runId: string; shipment: NewShipment }): Promise<void> {
    await sql.begin(async (sql) => {
      await openShipment(sql, shipment);
      await recordLabelFound(sql, runId);
      await closeFailedShipment(sql, shipment.submissionId);
    });
  },

  /** Has a person see to a shipment that was given up. Safe to retry: an order has one work item for it. */
  async recordFailedShipment(given: FailedShipment): Promise<void> {
    const { reference, ...shipment } = given;
    const workflowId = activityInfo().workflowExecution?.workflowId ?? '';
    const taskId = (await findOrder(sql, reference))?.taskId ?? reference;
    await sql.begin((sql) => reportFailedShipment(sql, { ...shipment, taskId, workflowId }));
  },
});

export type LabelActivities = ReturnType<typeof createLabelActivities>;
