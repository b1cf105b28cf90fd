import type { Handlers } from '../../activities/events/deliveries.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

/** What the intake gateway does when it hears of something. */
export const intakeEvents = (context: WorkerContext): Handlers<'intake'> => sessionEvents(context, 'intake');
