import { isNotificationType, type NotificationType } from '../../domain/notification/notification-types.js';
import { notFound } from '../http-error.js';

/** The type that a path names. @throws HttpError 404 for any other text (D69) */
export function knownType(text: string): NotificationType {
  if (!isNotificationType(text)) throw unknownType(text);
  return text;
}

export const unknownType = (text: string) => notFound(`Unknown notification type: ${text}`);
