import { bearer } from './admin.js';
import type { WirePayload } from './scrub-history.js';
import { readSystem } from './system.js';

const decodeWithinMs = 30_000;
/** The codec server takes 16 MiB, and a payload may be 2 MiB. */
const payloadsAtOnce = 100;

/**
 * The codec server decodes, and records who read which run (D88).
 * @returns decodes for as long as an admin token is valid
 */
export async function signInAtCodecServer(): Promise<(sealed: WirePayload[]) => Promise<WirePayload[]>> {
  const { codec } = readSystem().services;
  if (codec === undefined) throw new Error("The address of codec is not in the system's description.");
  const headers = { ...(await bearer()), 'content-type': 'application/json' };
  return async (sealed) => {
    const opened: WirePayload[] = [];
    for (let first = 0; first < sealed.length; first += payloadsAtOnce) {
      const response = await fetch(new URL('/decode', codec), {
        method: 'POST',
        headers,
        body: JSON.stringify({ payloads: sealed.slice(first, first + payloadsAtOnce) }),
        signal: AbortSignal.timeout(decodeWithinMs),
      });
      if (!response.ok) throw new Error(`The codec server answered ${response.status}`);
      opened.push(...((await response.json()) as { payloads: WirePayload[] }).payloads);
    }
    return opened;
  };
}
