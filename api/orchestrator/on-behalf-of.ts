import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { filled } from '../../platform/http/text.js';
import type { App } from '../context.js';

/** In the bodies of what a person does to an order at the desk (D135). */
export const onBehalfOf = {
  onBehalfOf: filled(320).optional().describe('The person for whom the key acts, for the access events'),
};
/** The body of a route that needs nothing else. */
export const onlyOnBehalfOf = z.strictObject(onBehalfOf, 'must be empty or {}').optional();

const personOf = ({ body }: FastifyRequest): string | undefined =>
  (body as { onBehalfOf?: string } | undefined)?.onBehalfOf;

/** Who asks: the person, else the key. */
export const askedBy = (request: FastifyRequest): string => personOf(request) ?? request.apiKey.id;

/** Names the person in the access event of a request (D162). A contract without the field has dropped it. */
export function notePersons(signed: App): void {
  signed.addHook('preHandler', async (request) => {
    const person = personOf(request);
    if (person !== undefined) request.accessed.onBehalfOf = person;
  });
}
