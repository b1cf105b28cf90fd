import { isNotificationType, type NotificationType } from '../../domain/notification/notification-types.js';
import { notFound } from '../http-errors.js';

/** The type that a path names. @throws Refused 404 for any other text (D69) */
export function requireType(text: string): NotificationType {
  if (!isNotificationType(text)) throw unrequireType(text);
  return text;
}

export const unrequireType = (text: string) => notFound(`Unknown notification type: ${text}`);
