import { createEventConsumerActivities } from '../../activities/events/deliveries.js';
import { createDeliveryLogActivities } from '../../activities/notification/log.js';
import { createMessageActivities } from '../../activities/notification/messages.js';
import { messageChannelsOf } from '../../integrations/message-channels.js';
import type { WorkerContext } from '../context.js';
import { notificationEvents } from './events.js';

export const notificationActivities = (context: WorkerContext) => {
  const channels = messageChannelsOf(context.config);
  return {
    ...createDeliveryLogActivities(context.sql, channels),
    ...createMessageActivities(channels),
    ...createEventConsumerActivities({ notification: notificationEvents(context) }),
  };
};
