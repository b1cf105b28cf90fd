import { z } from 'zod';

const registry = process.env['IMAGE_REGISTRY'] ?? 'https://registry-1.docker.io';
const timeoutMs = 10_000;

export interface Image {
  name: string;
  tag: string;
  /** `@sha256:…`, or empty. */
  digest: string;
}

/** Images in a compose file or a Dockerfile. */
export const imagePattern =
  /((?:image: (?:\$\{\w+:-)?|^ARG \w+_IMAGE=))([\w./-]+):(v?\d[\w.-]*)(@sha256:[0-9a-f]{64})?/gm;
export const imagesIn = (text: string): Image[] =>
  [...text.matchAll(imagePattern)].map(([, , name = '', tag = '', digest = '']) => ({ name, tag, digest }));
export const keyOf = ({ name, tag }: Pick<Image, 'name' | 'tag'>): string => `${name}:${tag}`;

/** All tags of an image. @throws if no registry answers */
export async function tagsOf(name: string): Promise<string[]> {
  const tags: string[] = [];
  let path: string | undefined = `/v2/${repositoryOf(name)}/tags/list?n=1000`;
  while (path !== undefined) {
    const response: Response = await ask(path);
    tags.push(...z.object({ tags: z.array(z.string()) }).parse(await response.json()).tags);
    path = /^<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return tags;
}

/** The digest that a tag has now. @throws if no registry answers */
export async function digestOf(name: string, tag: string): Promise<string> {
  const types = [
    'application/vnd.oci.image.index.v1+json',
    'application/vnd.docker.distribution.manifest.list.v2+json',
  ];
  const { headers } = await ask(`/v2/${repositoryOf(name)}/manifests/${tag}`, types.join());
  return z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .parse(headers.get('docker-content-digest'));
}

/** Docker Hub keeps names without an owner under `library`. */
function repositoryOf(name: string): string {
  const path = name.replace(/^docker\.io\//, '');
  return path.includes('/') ? path : `library/${path}`;
}

/** Asks again with the token that the registry wants. */
async function ask(path: string, accept = 'application/json'): Promise<Response> {
  const get = (headers: Record<string, string>) =>
    fetch(new URL(path, registry), {
      headers: { accept, ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    });
  let response = await get({});
  const wanted = response.headers.get('www-authenticate');
  if (response.status === 401 && wanted !== null)
    response = await get({ authorization: await bearerFor(wanted) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

async function bearerFor(wanted: string): Promise<string> {
  const part = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(wanted)?.[1];
  const url = new URL(z.string().parse(part('realm')));
  for (const name of ['service', 'scope']) url.searchParams.set(name, part(name) ?? '');
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  return `Bearer ${z.object({ token: z.string() }).parse(await answer.json()).token}`;
}
