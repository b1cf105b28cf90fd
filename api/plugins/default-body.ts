import type { FastifyRequest } from 'fastify';

/** For `preValidation`: a missing body counts as `{}`, but `null` does not. The schema sees `null` for both. */
export async function defaultToEmptyBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}
