import type { FastifyReply } from 'fastify';
import { parseJson } from '../exchange.js';

const TIMEOUT_MS = 10_000;

/** Posts JSON to the product and returns `{status, body}`, or 502 without an answer. */
export async function postWebhook(
  reply: FastifyReply,
  url: string,
  headers: Record<string, string>,
  text: string,
): Promise<FastifyReply> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: text,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.text();
    return await reply.send({ status: response.status, body: parseJson(answer) });
  } catch {
    return reply.code(502).send({ error: `No answer from ${url}` });
  }
}
