import { readFileSync } from 'node:fs';
import { openBalancer } from '../bench/cluster/balancer.js';

/** Replaces haproxy: it reads its address and servers from haproxy's configuration. */
const text = readFileSync(process.argv[2] ?? '', 'utf8');
const addresses = (pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, host = '', port]) => ({ host, port: Number(port) }));
const [at] = addresses(/^\s*bind ([\d.]+):(\d+)/gm);
if (!at) throw new Error('the configuration says nowhere to listen');
await openBalancer(at, addresses(/^\s*server \S+ ([\d.]+):(\d+)/gm));
