import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { AllowList, isPublicAddress, normalHost, parseHostPort } from '../src/index.ts';

test('only addresses of the public internet are public', () => {
  verifies('network.private-refused');
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00::1',
  ])
    expect(isPublicAddress(address), address).toBe(true);
  for (const address of [
    ['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '192.0.0.1'],
    ['192.168.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', 'fe80::1'],
    ['fc00::1', 'fd12:3456::1', 'fec0::1', 'ff02::1', '2001:db8::1', '2001::1', '2002:7f00:1::', '100::1', '5f00::1'],
  ].flat())
    expect(isPublicAddress(address), address).toBe(false);
});

describe('hosts', () => {
  test('one spelling, and nothing that some resolver would take for an address', () => {
    verifies('network.odd-addresses');
    expect(normalHost('Files.Example.ORG.')).toBe('files.example.org');
    expect(normalHost('[0:0:0:0:0:0:0:1]')).toBe('::1');
    expect(normalHost('[::FFFF:127.0.0.1]')).toBe('::ffff:7f00:1');
    for (const host of [
      ['2130706433', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '127.1', '127.0.0.01', '1.2.3.4.5', 'example.0x10'],
      ['', '.', '..', 'a..b', '-a.example', 'a b', 'a\tb', 'user@host', 'exa%6dple.org', 'exämple.org', 'a/b', '*'],
      ['[::1', '[fe80::1%eth0]', '[127.0.0.1]', 'x'.repeat(64), `${'a.'.repeat(127)}org`],
    ].flat())
      expect(normalHost(host), host).toBeUndefined();
  });

  test('a port is required unless one is given, and is one', () => {
    expect(parseHostPort('a.example:8443')).toEqual({ host: 'a.example', port: 8443 });
    expect(parseHostPort('[::1]:80')).toEqual({ host: '::1', port: 80 });
    expect(parseHostPort('a.example', 443)).toEqual({ host: 'a.example', port: 443 });
    for (const text of [
      'a.example',
      'a.example:0',
      'a.example:65536',
      'a.example:',
      'a.example:8 0',
      '::1:80',
      'a:1:2',
    ])
      expect(parseHostPort(text), text).toBeUndefined();
  });

  test('an entry means exactly its host and port, a suffix what is below it', () => {
    verifies('network.allowed-host');
    const list = new AllowList([
      'index.example',
      'files.example:8443',
      '.cdn.example',
      '.sub.example:444',
      '[2606::1]',
    ]);
    const permits = (text: string, scheme: 'http' | 'https' = 'https') => list.permits(parseHostPort(text)!, scheme);
    for (const text of [
      'index.example:443',
      'files.example:8443',
      'a.cdn.example:443',
      'a.b.cdn.example:443',
      'x.sub.example:444',
    ])
      expect(permits(text), text).toBe(true);
    expect(permits('index.example:80', 'http')).toBe(true);
    expect(permits('[2606::1]:443')).toBe(true);
    for (const text of [
      'index.example:8443',
      'files.example:443',
      'cdn.example:443',
      'notcdn.example:443',
      'xindex.example:443',
    ])
      expect(permits(text), text).toBe(false);
    for (const text of ['index.example:80', 'index.example.evil.example:443', 'x.sub.example:443'])
      expect(permits(text), text).toBe(false);
    expect(permits('index.example:443', 'http')).toBe(false);
  });
});
