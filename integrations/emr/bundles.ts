import { z } from 'zod';
import { expectOk, OutboundError, type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import { party } from './fhir.js';

/** A longer search is an error, since a part of it could miss the patient (D156). */
const maxPages = 20;

const page = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z.array(z.looseObject({ resource: z.looseObject({ resourceType: z.string() }) })).nullish(),
  link: z.array(z.looseObject({ relation: z.string(), url: z.string() })).nullish(),
});

/**
 * Reads all pages of a search (D156). It follows links at the EMR's own address only, because they may hold personal
 * values and carry the token.
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

const identified = z.looseObject({
  identifier: z.array(z.looseObject({ system: z.string().nullish(), value: z.string().nullish() })).nullish(),
});

/** True if a resource carries the identifier. A server may ignore a search parameter and answer with others. */
export const hasIdentifier = (resource: unknown, wanted: { system: string; value: string }): boolean =>
  identified
    .safeParse(resource)
    .data?.identifier?.some(({ system, value }) => system === wanted.system && value === wanted.value) ===
  true;

const created = z.looseObject({ resourceType: z.string(), id: z.string() });

/**
 * The id of a created or existing resource, from the body, or from `Location` if there is none (D156).
 * @throws OutboundError if neither has it
 */
export function createdId(resourceType: string, response: OutboundResponse): string {
  const { headers } = expectOk(party, response);
  const made = created.safeParse(bodyOf(response)).data;
  const id = made?.resourceType === resourceType ? made.id : idInLocation(resourceType, headers.location);
  if (id === undefined) throw new OutboundError(party, { kind: 'malformed' });
  return id;
}

/** True if a conditional create answers with an existing resource that lacks the identifier. */
export const isOfAnother = (
  response: OutboundResponse,
  wanted: { system: string; value: string },
): boolean => {
  const shown = bodyOf(response);
  return response.status !== 201 && created.safeParse(shown).success && !hasIdentifier(shown, wanted);
};

/** The parsed body; undefined if it is empty or no JSON. */
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
