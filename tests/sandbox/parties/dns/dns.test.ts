import { Resolver } from 'node:dns/promises';
import { expect, test } from '@jest/globals';
import { startSandbox } from '../../../../sandbox/app.js';
import { readConfig } from '../../../../sandbox/config.js';
import { call, freshSettings, useSandbox } from '../../helpers.js';

const sandbox = useSandbox();

function resolver(port = sandbox.dnsPort()): Resolver {
  const own = new Resolver({ timeout: 300, tries: 1 });
  own.setServers([`127.0.0.1:${port}`]);
  return own;
}
const tell = (json: object) => sandbox.call('/_sandbox/dns', { json });

test('a name under .test has this machine as its address, unless it was given another or none', async () => {
  expect(await resolver().resolve4('portal.clinic.test')).toEqual(['127.0.0.1']);
  await tell({ name: 'away.test', type: 'A', values: ['192.0.2.7'] });
  await tell({ name: 'nowhere.test', type: 'A', values: [] });
  expect(await resolver().resolve4('away.test')).toEqual(['192.0.2.7']);
  await expect(resolver().resolve4('nowhere.test')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver().resolve6('portal.clinic.test')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('an alias leads to the address of what it names', async () => {
  await tell({ name: 'www.clinic.example', type: 'CNAME', values: ['portal.clinic.test'] });
  expect(await resolver().resolve4('www.clinic.example')).toEqual(['127.0.0.1']);
  expect(await resolver().resolveCname('www.clinic.example')).toEqual(['portal.clinic.test']);
});

test('aliases in a circle end, at no address', async () => {
  await tell({ name: 'a.example', type: 'CNAME', values: ['b.example'] });
  await tell({ name: 'b.example', type: 'CNAME', values: ['a.example'] });
  expect(await resolver().resolve4('a.example')).toEqual([]);
});

test('a name that is not known does not exist', async () => {
  await expect(resolver().resolveTxt('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('every question is on record, and faults answer with a server failure or not at all', async () => {
  await sandbox.setFault({ target: 'dns', kind: 'status', status: 503, times: 1 });
  await expect(resolver().resolve4('failing.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await sandbox.setFault({ target: 'dns', kind: 'hang', times: 1 });
  await expect(resolver().resolve4('silent.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  await resolver().resolve4('well.test');
  const [last, silent, failing] = await sandbox.requests('dns');
  expect(last).toMatchObject({ operation: 'query', method: 'A', path: 'well.test', status: 0, fault: null });
  expect(last).toMatchObject({ responseBody: [{ name: 'well.test', type: 'A', value: '127.0.0.1' }] });
  expect(silent).toMatchObject({ path: 'silent.test', status: null, fault: 'hang' });
  expect(failing).toMatchObject({ path: 'failing.test', status: 2, fault: 'status' });
});

test('records outlive a restart, and clearing them is for good', async () => {
  const config = readConfig(await freshSettings());
  const record = { name: 'kept.example', type: 'TXT', values: ['here'] };
  const first = await startSandbox(config);
  await call(`${first.url}/_sandbox/dns`, { json: record });
  await first.close();

  const second = await startSandbox(config);
  expect(await resolver(second.ports['dns']).resolveTxt('kept.example')).toEqual([['here']]);
  expect((await call(`${second.url}/_sandbox/dns`)).body).toEqual({ records: [record] });
  await call(`${second.url}/_sandbox/dns`, { method: 'DELETE' });
  await expect(resolver(second.ports['dns']).resolveTxt('kept.example')).rejects.toThrow('ENOTFOUND');
  await second.close();

  const third = await startSandbox(config);
  expect((await call(`${third.url}/_sandbox/dns`)).body).toEqual({ records: [] });
  await third.close();
});
