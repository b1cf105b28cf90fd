import { z } from 'zod';
import { expectOk, OutboundError, type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import { party } from './fhir.js';

/** A search that is longer is not read to its end, and so tells nothing (D156). */
const maxPages = 20;

const page = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z.array(z.looseObject({ resource: z.looseObject({ resourceType: z.string() }) })).nullish(),
  link: z.array(z.looseObject({ relation: z.string(), url: z.string() })).nullish(),
});

/**
 * The resources of a search, all of its pages (D156). A next page is asked for at the EMR's own address only: the link
 * may hold personal values, and the token goes with it.
 * @param first the answer to the search
 * @throws OutboundError, without the link, also when the pages do not end or lead elsewhere
 */
export async function resourcesOf(
  baseUrl: string,
  first: OutboundResponse,
  read: (url: string) => Promise<OutboundResponse>,
): Promise<{ resourceType: string }[]> {
  const found: { resourceType: string }[] = [];
  let response = first;
  for (let pages = 1; ; pages += 1) {
    const { entry, link } = parseAnswer(party, response, page);
    found.push(...(entry ?? []).map(({ resource }) => resource));
    const next = link?.find(({ relation }) => relation === 'next')?.url;
    if (next === undefined) return found;
    const url = ownUrl(baseUrl, next);
    if (url === undefined || pages === maxPages)
      throw new OutboundError(party, { kind: 'network', code: 'SEARCH_NOT_FINISHED' });
    response = await read(url);
  }
}

function ownUrl(baseUrl: string, link: string): string | undefined {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  if (!URL.canParse(link, base)) return undefined;
  const url = new URL(link, base);
  return url.origin === new URL(base).origin ? url.href : undefined;
}

const created = z.looseObject({ resourceType: z.string(), id: z.string() });

/**
 * The id of what a create made, or of what was there already: out of the body, or out of `Location` where the server
 * answers without one (D156). @throws OutboundError when neither has it
 */
export function createdId(resourceType: string, response: OutboundResponse): string {
  const { headers } = expectOk(party, response);
  const made = created.safeParse(bodyOf(response)).data;
  const id = made?.resourceType === resourceType ? made.id : idInLocation(resourceType, headers.location);
  if (id === undefined) throw new OutboundError(party, { kind: 'malformed' });
  return id;
}

/** A body of JSON; undefined for one that is empty or none. */
export function bodyOf({ body }: OutboundResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Relative or absolute, with or without a version: `Patient/7`, `https://emr.example/fhir/Patient/7/_history/1`. */
const idInLocation = (resourceType: string, location: string | undefined): string | undefined =>
  new RegExp(String.raw`(?:^|/)${resourceType}/([A-Za-z0-9.-]{1,64})(?:/_history/[^/]*)?/?$`).exec(
    location ?? '',
  )?.[1];
